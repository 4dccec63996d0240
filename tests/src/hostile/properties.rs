//! `server.properties`: a real one with keys, values and bytes changed.

use super::Dice;

const KEYS: [&str; 34] = [
    "process.roles",
    "node.id",
    "broker.id",
    "controller.quorum.voters",
    "controller.quorum.bootstrap.servers",
    "controller.listener.names",
    "listeners",
    "advertised.listeners",
    "listener.security.protocol.map",
    "inter.broker.listener.name",
    "security.inter.broker.protocol",
    "log.dir",
    "log.dirs",
    "metadata.log.dir",
    "controller.quorum.election.timeout.ms",
    "controller.quorum.fetch.timeout.ms",
    "controller.quorum.election.backoff.max.ms",
    "controller.quorum.append.linger.ms",
    "controller.quorum.request.timeout.ms",
    "controller.quorum.retry.backoff.ms",
    "controller.quorum.auto.join.enable",
    "controller.quorum.fetch.max.bytes",
    "metadata.log.segment.bytes",
    "metadata.log.segment.ms",
    "metadata.log.max.record.bytes.between.snapshots",
    "metadata.log.max.snapshot.interval.ms",
    "metadata.max.retention.bytes",
    "metadata.max.retention.ms",
    "metadata.max.idle.interval.ms",
    "unstable.feature.versions.enable",
    "unstable.api.versions.enable",
    "zookeeper.metadata.migration.enable",
    "early.start.listeners",
    "no.such.key",
];

const VALUES: [&str; 40] = [
    "",
    " ",
    "0",
    "-1",
    "1",
    "2",
    "3",
    "2147483647",
    "2147483648",
    "-2147483648",
    "9223372036854775807",
    "99999999999999999999",
    "1.5",
    "1e3",
    "0x10",
    "x",
    "true",
    "TRUE",
    "no",
    "controller",
    "broker,controller",
    "controller,controller",
    "1@localhost:9093",
    "1@localhost:9093,2@localhost:9094,1@localhost:9095",
    "1@[::1]:99999",
    "1@:0",
    "@",
    ",",
    "localhost:9093",
    "CONTROLLER://:9093",
    "CONTROLLER://localhost:9093,CONTROLLER://localhost:9094",
    "PLAINTEXT://:0,CONTROLLER://:0",
    "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
    "CONTROLLER:NOPE",
    "://",
    "..",
    "a,b",
    "\\u0041\\u001b[2J",
    "\\uZZZZ",
    "${env:HOME}",
];

/// The bytes of a configuration whose directory, if nothing else is said, is `directory`.
pub fn properties(dice: &mut Dice<'_>, directory: &str) -> Vec<u8> {
    let mut lines = vec![
        "process.roles=controller".to_owned(),
        "node.id=1".to_owned(),
        "controller.listener.names=CONTROLLER".to_owned(),
        "listeners=CONTROLLER://localhost:9093".to_owned(),
        format!("log.dirs={directory}"),
        dice.one(&[
            "controller.quorum.voters=1@localhost:9093",
            "controller.quorum.bootstrap.servers=localhost:9093",
        ])
        .to_string(),
    ];
    for _ in 0..dice.below(6) {
        let key = dice.one(&KEYS);
        let separator = dice.one(&["=", ":", " ", " = ", "\\\n  ="]);
        let value = dice.one(&VALUES);
        let at = dice.below(lines.len() + 1);
        lines.insert(at, format!("{key}{separator}{value}"));
    }
    if dice.once_in(4) {
        let at = dice.below(lines.len());
        lines.remove(at);
    }
    let mut bytes = lines.join("\n").into_bytes();
    for _ in 0..dice.below(3) {
        let at = dice.below(bytes.len());
        match dice.below(3) {
            0 => bytes.truncate(at),
            1 => drop(bytes.splice(at..at, dice.raw(8).iter().copied())),
            _ => bytes[at] = dice.below(256) as u8,
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}
