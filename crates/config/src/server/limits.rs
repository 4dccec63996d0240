//! Rules that join several numbers, and what SASL between brokers needs (the same places of Kafka as `validate`).

use super::validate::{inconsistent, inter_broker_listener};
use super::values::{Values, items, trim};
use super::{ConfigError, quorum};

const MAX_CONNECTIONS: &str = "max.connections.per.ip.overrides";

/// How long segments last: milliseconds count before minutes and hours.
pub(super) fn log_times(values: &Values) -> Result<(), ConfigError> {
    let hours = |key| values.number(key).unwrap_or(0) * 3_600_000;
    let roll = values
        .number("log.roll.ms")
        .unwrap_or_else(|| hours("log.roll.hours"));
    let jitter = values
        .number("log.roll.jitter.ms")
        .unwrap_or_else(|| hours("log.roll.jitter.hours"));
    let minutes = values
        .number("log.retention.minutes")
        .map(|minutes| minutes * 60_000);
    let retention = values.number("log.retention.ms").or(minutes);
    let retention = retention.unwrap_or_else(|| hours("log.retention.hours"));
    if roll < 1 {
        return inconsistent(format!("log.roll.ms is {roll}"), "it must be at least 1");
    }
    if jitter < 0 {
        return inconsistent(
            format!("log.roll.jitter.ms is {jitter}"),
            "it must be at least 0",
        );
    }
    if retention == 0 {
        return inconsistent(
            "log.retention.ms is 0".to_owned(),
            "it must be at least 1, or negative for no limit",
        );
    }
    Ok(())
}

/// A thread of the log cleaner needs more than a mebibyte.
pub(super) fn log_cleaner(values: &Values) -> Result<(), ConfigError> {
    let buffer = values.long("log.cleaner.dedupe.buffer.size");
    let threads = values.long("log.cleaner.threads");
    match buffer.checked_div(threads) {
        Some(each) if each > 1 << 20 => Ok(()),
        _ => inconsistent(
            format!("log.cleaner.dedupe.buffer.size={buffer} for log.cleaner.threads={threads}"),
            "there must be a thread, and more than 1048576 bytes for each",
        ),
    }
}

/// The mechanism between brokers must be enabled for their listener where they authenticate by SASL.
pub(super) fn sasl(values: &Values) -> Result<(), ConfigError> {
    let (name, protocol) = inter_broker_listener(values)?;
    if !protocol.starts_with("SASL") {
        return Ok(());
    }
    let own = format!(
        "listener.name.{}.sasl.enabled.mechanisms",
        name.to_lowercase()
    );
    let mechanisms = match values.entries.get(&own) {
        Some(own) => items(trim(own)).map(str::to_owned).collect(),
        None => values.list("sasl.enabled.mechanisms").unwrap_or_default(),
    };
    let needed = values
        .text("sasl.mechanism.inter.broker.protocol")
        .unwrap_or("");
    if mechanisms.iter().any(|mechanism| mechanism == needed) {
        return Ok(());
    }
    inconsistent(
        format!("sasl.mechanism.inter.broker.protocol={needed}"),
        "it must be in sasl.enabled.mechanisms",
    )
}

pub(super) fn connections(values: &Values) -> Result<(), ConfigError> {
    let queued = values.long("queued.max.request.bytes");
    let request = values.long("socket.request.max.bytes");
    if queued > 0 && queued < request {
        return inconsistent(
            format!("queued.max.request.bytes={queued}"),
            "it must be at least socket.request.max.bytes, or not positive",
        );
    }
    let overrides = values.map(MAX_CONNECTIONS)?;
    for (host, limit) in &overrides {
        if limit.parse::<i32>().is_err() || !host.chars().all(quorum::is_host_letter) {
            return Err(ConfigError::Value {
                key: MAX_CONNECTIONS.to_owned(),
                found: format!("{host}:{limit}"),
                expected: "HOST:NUMBER, and more after commas".to_owned(),
            });
        }
    }
    if values.long("max.connections.per.ip") == 0 && overrides.is_empty() {
        return inconsistent(
            "max.connections.per.ip=0".to_owned(),
            "it must be positive where there are no max.connections.per.ip.overrides",
        );
    }
    let idle = values.long("connections.max.idle.ms");
    let delay = values.long("connection.failed.authentication.delay.ms");
    if idle >= 0 && delay >= idle {
        return inconsistent(
            format!("connection.failed.authentication.delay.ms={delay}"),
            "it must be less than connections.max.idle.ms",
        );
    }
    Ok(())
}
