//! `--log`: what the crates of the model say while they run, on standard error, at simulated times.

use std::fmt;
use std::io;

use clap::Args;
use simulator::run::nearest;
use simulator::world::SCOPE_TARGET;
use tracing::level_filters::LevelFilter;
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Subscriber};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields, MakeWriter};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{Registry, fmt::layer};

/// The crates that say something.
const SPEAKERS: [&str; 4] = ["raft", "quorum_controller", "image", "node"];
const LEVELS: [&str; 5] = ["error", "warn", "info", "debug", "trace"];

/// Whose events are printed.
#[derive(Clone, Debug, Default, Args)]
pub struct LogArgs {
    /// Print what crates of the model do, on standard error, at simulated times
    ///
    /// For example --log raft=debug,quorum_controller=info. The crates: raft, quorum_controller, image, node. The levels:
    /// error, warn, info, debug, trace.
    #[expect(clippy::doc_markdown, reason = "the help has no backticks")]
    #[arg(long, value_name = "CRATE=LEVEL,…", value_delimiter = ',', value_parser = directive)]
    log: Vec<(String, LevelFilter)>,
}

fn directive(text: &str) -> Result<(String, LevelFilter), String> {
    let Some((speaker, level)) = text.split_once('=') else {
        return Err("expected CRATE=LEVEL, for example raft=debug".to_owned());
    };
    known(speaker, &SPEAKERS, "crate")?;
    known(level, &LEVELS, "level")?;
    let level = level.parse().expect("it is one of the levels");
    Ok((speaker.to_owned(), level))
}

fn known(word: &str, words: &[&str], what: &str) -> Result<(), String> {
    if words.contains(&word) {
        return Ok(());
    }
    let advice = nearest(word, words.iter().copied())
        .map(|near| format!("; did you mean {near}?"))
        .unwrap_or_default();
    Err(format!(
        "`{}` is no {what}; known are {}{advice}",
        word.escape_debug(),
        words.join(", ")
    ))
}

impl LogArgs {
    /// Whether nobody asked for anything.
    pub fn is_empty(&self) -> bool {
        self.log.is_empty()
    }

    /// Prints from now on, on this thread, until the guard is dropped. `None` if nobody asked for it.
    pub fn begin(&self) -> Option<DefaultGuard> {
        (!self.is_empty()).then(|| self.begin_on(io::stderr))
    }

    fn begin_on(
        &self,
        writer: impl for<'w> MakeWriter<'w> + Send + Sync + 'static,
    ) -> DefaultGuard {
        let targets = Targets::new()
            .with_targets(self.log.iter().cloned())
            .with_target(SCOPE_TARGET, LevelFilter::ERROR);
        let lines = layer().with_writer(writer).event_format(SimulatedTime);
        let subscriber = Registry::default().with(targets).with(lines);
        tracing::subscriber::set_default(subscriber)
    }
}

/// `   0.150300s  node 1  INFO raft: takes a role role=Leader epoch=3`.
struct SimulatedTime;

impl<S, N> FormatEvent<S, N> for SimulatedTime
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        for span in context.event_scope().into_iter().flatten() {
            if let Some(when_and_who) = span.extensions().get::<FormattedFields<N>>() {
                write!(writer, "{when_and_who}  ")?;
            }
        }
        let metadata = event.metadata();
        let speaker = metadata.target().split("::").next().unwrap_or_default();
        write!(writer, "{:>5} {speaker}: ", metadata.level())?;
        context.format_fields(writer.by_ref(), event)?;
        writeln!(writer)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use clap::Parser;
    use simulator::scenario::parse;
    use simulator::scenario::run::{Options, run};

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        log: LogArgs,
    }

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What a run of one controller says, and the hash of the run.
    fn said(log: &str) -> (String, u64) {
        let text = "title \"One controller\"\ncontrollers 1\nrelease 4.4.0\nformat 1 standalone\nstart 1\nrun 1s\n";
        let scenario = parse(text).unwrap();
        let line = Line::try_parse_from(["kraftsim", "--log", log]).unwrap();
        let lines = Lines::default();
        let writer = lines.clone();
        let guard = line.log.begin_on(move || writer.clone());
        let outcome = run(&scenario, &Options::default(), &mut |_| unreachable!());
        drop(guard);
        let lines = std::mem::take(&mut *lines.0.lock().unwrap());
        (String::from_utf8(lines).unwrap(), outcome.unwrap().hash)
    }

    #[test]
    fn the_help_names_every_crate_and_level() {
        let command = LogArgs::augment_args(clap::Command::new("kraftsim"));
        let argument = command.get_arguments().find(|one| one.get_id() == "log");
        let help = argument.and_then(clap::Arg::get_long_help);
        let help = help.expect("--log has a help").to_string();
        for name in SPEAKERS.iter().chain(&LEVELS) {
            assert!(help.contains(&format!(" {name}")), "{name}");
        }
    }

    #[test]
    fn lines_have_the_simulated_time_the_node_and_the_crate() {
        let (lines, hash) = said("raft=info,quorum_controller=info");
        let (nothing, same) = said("image=error");
        expect_test::expect![[r#"
            said:
               0.000000s  node 1   INFO raft: takes a role role=Unattached epoch=0
               0.000000s  node 1   INFO raft: takes a role role=Prospective epoch=0
               0.000000s  node 1   INFO raft: takes a role role=Candidate epoch=1
               0.000000s  node 1   INFO raft: takes a role role=Leader epoch=1 leader=1
               0.000040s  node 1   INFO quorum_controller: claims leadership epoch=1 next_write_offset=3
               0.000060s  node 1   INFO quorum_controller: activates: the log is empty: 6 bootstrap record(s) at metadata.version 4.4-IV2 from the zero checkpoint, in a metadata transaction epoch=1 log=Empty bootstrap_records=6 metadata_version="4.4-IV2"
        "#]].assert_eq(&format!("said:\n{lines}"));
        assert_eq!(nothing, "");
        assert_eq!(hash, same, "to watch a run does not change it");
    }

    #[test]
    fn unknown_crates_and_levels_are_refused_with_a_nearest_one() {
        for (given, advice) in [
            ("raaft=debug", "did you mean raft?"),
            ("raft=dbug", "did you mean debug?"),
            ("raft", "raft=debug"),
        ] {
            let Err(error) = Line::try_parse_from(["kraftsim", "--log", given]) else {
                panic!("{given} was taken");
            };
            assert!(error.to_string().contains(advice), "{error}");
        }
    }
}
