//! A `server.properties` that means harm: a clear and short error soon, and exit status 2.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, Instant};

use kraftsim_tests::cli::{Answer, ask};

const SOUND: &str = "process.roles=controller\nnode.id=1\ncontroller.listener.names=CONTROLLER\n\
                     listeners=CONTROLLER://:9093\ncontroller.quorum.voters=1@h:9093\n";

fn rehearse(config: &str) -> Answer {
    ask(&[
        "rehearse",
        "-c",
        config,
        "--on",
        "4.4.0",
        "--unformatted",
        "1",
    ])
}

fn format(config: &str) -> Answer {
    let cluster = "a3JhZnRzaW0tb3JhY2xlMQ";
    ask(&["format", "-c", config, "-t", cluster, "--kafka", "4.4.0"])
}

/// So many items between commas.
fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(",")
}

/// Values out of a file, so many times.
fn provided(path: &Path, times: usize) -> String {
    let class = "org.apache.kafka.common.config.provider.FileConfigProvider";
    let value = format!("${{p:{}:k}}", path.display()).repeat(times);
    format!("config.providers=p\nconfig.providers.p.class={class}\nx={value}\n")
}

/// Lines behind a sound configuration that the command line does not read, and words of the error.
fn unreadable(folder: &Path) -> Vec<(String, &'static str)> {
    vec![
        ("log.dirs=/a\\u12".to_owned(), "properties file"),
        (
            format!("log.dirs={}", "\\\n".repeat(700_000)),
            "at most 1048576",
        ),
        (
            format!("log.dirs={}", list(100_000, |at| format!("/d{at}"))),
            "log.dirs holds 100000 items, and at most 1000",
        ),
        (
            format!(
                "controller.quorum.voters={}",
                list(90_000, |at| format!("{at}@h:1"))
            ),
            "controller.quorum.voters holds 90000 items",
        ),
        (
            format!(
                "listener.security.protocol.map={}",
                list(90_000, |at| format!("N{at}:SSL"))
            ),
            "listener.security.protocol.map holds 90000 items",
        ),
        (provided(&folder.join("large"), 17), "config providers give"),
    ]
}

/// Lines that Kafka refuses as well.
fn refused(folder: &Path) -> Vec<(String, &'static str)> {
    vec![
        // Too large, a link to a device, and nothing: what cannot be read is not waited for.
        (provided(&folder.join("larger"), 1), "cannot read"),
        (provided(&folder.join("zeros"), 1), "cannot read"),
        (provided(&folder.join("nowhere"), 1), "cannot read"),
        (format!("node.id={}", "9".repeat(900_000)), "node.id=999"),
        (
            format!("controller.quorum.voters=1@{} :1", "h".repeat(900_000)),
            "ID@HOST:PORT",
        ),
        (
            format!("listeners={}://:1", "L".repeat(900_000)),
            "gives no security protocol",
        ),
        ("listeners=\u{1b}[31mred://:1".to_owned(), "listeners holds"),
    ]
}

#[test]
fn harm_is_refused_soon_and_in_few_words() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("server.properties");
    fs::write(folder.path().join("large"), "#".repeat(1 << 20)).unwrap();
    fs::write(folder.path().join("larger"), "#".repeat((1 << 20) + 1)).unwrap();
    symlink("/dev/zero", folder.path().join("zeros")).unwrap();
    let unreadable = unreadable(folder.path());
    let cases = unreadable
        .into_iter()
        .map(|(lines, words)| (lines, words, 2));
    let refused = refused(folder.path())
        .into_iter()
        .map(|(lines, words)| (lines, words, 1));
    for (lines, words, format_exit) in cases.chain(refused) {
        fs::write(&config, format!("{SOUND}{lines}\n")).unwrap();
        let path = config.to_str().unwrap();
        let begun = Instant::now();
        for (answer, exit) in [(rehearse(path), 2), (format(path), format_exit)] {
            let shown = &lines.chars().take(60).collect::<String>();
            assert_eq!(answer.code, exit, "{shown}: {:.2000}", answer.err);
            let said = answer.out + &answer.err;
            assert!(said.contains(words), "{shown}: {said:.2000}");
            assert!(said.len() < 4096, "{shown}: {} bytes are said", said.len());
            let control = |letter: char| letter.is_control() && letter != '\n';
            assert!(!said.contains(control), "{shown}: {said:.2000}");
        }
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "{words}: {:?}",
            begun.elapsed()
        );
    }
}
