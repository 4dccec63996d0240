//! The configurations that a topic can have, release by release (`4.4:storage/…/internals/log/LogConfig.java`,
//! `server-common/…/config/ServerTopicConfigSynonyms.java`; names, kinds, defaults and synonyms read from the classes of
//! 3.9.2, 4.0.2, 4.1.2, 4.3.1 and 4.4.0).

use records::feature::Line;
use records::feature::Line::{V3_9, V4_0, V4_1, V4_4};

use ConfigKind::{Boolean, ListOf, Number, NumberOr, OneOf, Ratio, Text, ThrottledReplicas};

/// One configuration of a topic.
#[derive(Clone, Copy, Debug)]
pub struct TopicConfig {
    /// Its name.
    pub name: &'static str,
    /// What its values look like.
    pub kind: ConfigKind,
    /// What it is when nobody says; `None` for nothing.
    pub default: Option<&'static str>,
    /// What a node calls it, the first that is set counts.
    pub synonyms: &'static [Synonym],
    /// Whether it is told of.
    pub visibility: Visibility,
    since: Line,
    until: Line,
}

/// What a node calls a configuration of topics.
#[derive(Clone, Copy, Debug)]
pub struct Synonym {
    /// Its name.
    pub name: &'static str,
    /// By how much a number is multiplied to get what a topic would say; `None` for text as it is.
    pub factor: Option<i64>,
}

/// What values look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigKind {
    /// `true` or `false`.
    Boolean,
    /// A whole number in a range.
    Number(i64, i64),
    /// A whole number in a range, or one other.
    NumberOr(i64, i64, i64),
    /// A decimal number from 0 to 1.
    Ratio,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// Any of these words, separated by commas.
    ListOf(&'static [&'static str]),
    /// Pairs of partition and broker, separated by commas, or `*`.
    ThrottledReplicas,
    /// Any text.
    Text,
}

/// Whether a configuration is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// It is.
    Public,
    /// Only to who has set it.
    Internal,
}

impl TopicConfig {
    /// All that topics of a line can have, by name.
    pub fn of(line: Line) -> impl Iterator<Item = &'static TopicConfig> {
        let known = move |config: &&TopicConfig| config.since <= line && line <= config.until;
        TOPIC_CONFIGS.iter().filter(known)
    }

    /// The one of that name.
    pub fn named(line: Line, name: &str) -> Option<&'static TopicConfig> {
        Self::of(line).find(|config| config.name == name)
    }

    const fn since(mut self, line: Line) -> Self {
        self.since = line;
        self
    }

    const fn until(mut self, line: Line) -> Self {
        self.until = line;
        self
    }
}

const INT_MAX: i64 = i32::MAX as i64;
const INT_MIN: i64 = i32::MIN as i64;

const fn int(min: i64) -> ConfigKind {
    Number(min, INT_MAX)
}

const fn long(min: i64) -> ConfigKind {
    Number(min, i64::MAX)
}

const fn same(name: &'static str) -> Synonym {
    Synonym { name, factor: None }
}

const fn minutes(name: &'static str) -> Synonym {
    let factor = Some(60_000);
    Synonym { name, factor }
}

const fn hours(name: &'static str) -> Synonym {
    let factor = Some(3_600_000);
    Synonym { name, factor }
}

const fn config(
    name: &'static str,
    kind: ConfigKind,
    default: &'static str,
    synonyms: &'static [Synonym],
) -> TopicConfig {
    TopicConfig {
        name,
        kind,
        default: Some(default),
        synonyms,
        visibility: Visibility::Public,
        since: V3_9,
        until: V4_4,
    }
}

const fn internal(name: &'static str, kind: ConfigKind) -> TopicConfig {
    TopicConfig {
        default: None,
        visibility: Visibility::Internal,
        ..config(name, kind, "", &[])
    }
}

#[rustfmt::skip]
const TOPIC_CONFIGS: &[TopicConfig] = &[
    config("cleanup.policy", ListOf(&["compact", "delete"]), "delete", &[same("log.cleanup.policy")]),
    config("compression.gzip.level", NumberOr(1, 9, -1), "-1", &[same("compression.gzip.level")]),
    config("compression.lz4.level", Number(1, 17), "9", &[same("compression.lz4.level")]),
    config("compression.type", OneOf(&["uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"]), "producer", &[same("compression.type")]),
    config("compression.zstd.level", Number(-131_072, 22), "3", &[same("compression.zstd.level")]),
    config("delete.retention.ms", long(0), "86400000", &[same("log.cleaner.delete.retention.ms")]),
    config("errors.deadletterqueue.group.enable", Boolean, "false", &[]).since(V4_4),
    config("file.delete.delay.ms", long(0), "60000", &[same("log.segment.delete.delay.ms")]),
    config("flush.messages", long(1), "9223372036854775807", &[same("log.flush.interval.messages")]),
    config("flush.ms", long(0), "9223372036854775807", &[same("log.flush.interval.ms"), same("log.flush.scheduler.interval.ms")]),
    config("follower.replication.throttled.replicas", ThrottledReplicas, "", &[]),
    config("index.interval.bytes", int(0), "4096", &[same("log.index.interval.bytes")]),
    internal("internal.segment.bytes", int(INT_MIN)).since(V4_1),
    config("leader.replication.throttled.replicas", ThrottledReplicas, "", &[]),
    config("local.retention.bytes", long(-2), "-2", &[same("log.local.retention.bytes")]),
    config("local.retention.ms", long(-2), "-2", &[same("log.local.retention.ms")]),
    config("max.compaction.lag.ms", long(1), "9223372036854775807", &[same("log.cleaner.max.compaction.lag.ms")]),
    config("max.decompressed.message.bytes", Number(1, 2_147_483_639), "2147483639", &[same("max.decompressed.message.bytes")]).since(V4_4),
    config("max.message.bytes", int(0), "1048588", &[same("message.max.bytes")]),
    config("message.downconversion.enable", Boolean, "true", &[same("log.message.downconversion.enable")]).until(V3_9),
    config("message.format.version", Text, "3.0-IV1", &[same("log.message.format.version")]).until(V3_9),
    config("message.timestamp.after.max.ms", long(0), "9223372036854775807", &[same("log.message.timestamp.after.max.ms")]).until(V3_9),
    config("message.timestamp.after.max.ms", long(0), "3600000", &[same("log.message.timestamp.after.max.ms")]).since(V4_0),
    config("message.timestamp.before.max.ms", long(0), "9223372036854775807", &[same("log.message.timestamp.before.max.ms")]),
    config("message.timestamp.difference.max.ms", long(0), "9223372036854775807", &[same("log.message.timestamp.difference.max.ms")]).until(V3_9),
    config("message.timestamp.type", OneOf(&["CreateTime", "LogAppendTime"]), "CreateTime", &[same("log.message.timestamp.type")]),
    config("min.cleanable.dirty.ratio", Ratio, "0.5", &[same("log.cleaner.min.cleanable.ratio")]),
    config("min.compaction.lag.ms", long(0), "0", &[same("log.cleaner.min.compaction.lag.ms")]),
    config("min.insync.replicas", int(1), "1", &[same("min.insync.replicas")]),
    config("preallocate", Boolean, "false", &[same("log.preallocate")]),
    config("remote.copy.lag.bytes", long(-1), "-1", &[same("log.remote.copy.lag.bytes")]).since(V4_4),
    config("remote.copy.lag.ms", long(-1), "0", &[same("log.remote.copy.lag.ms")]).since(V4_4),
    config("remote.log.copy.disable", Boolean, "false", &[]),
    config("remote.log.delete.on.disable", Boolean, "false", &[]),
    config("remote.storage.enable", Boolean, "false", &[]),
    config("retention.bytes", long(i64::MIN), "-1", &[same("log.retention.bytes")]),
    config("retention.ms", long(-1), "604800000", &[same("log.retention.ms"), minutes("log.retention.minutes"), hours("log.retention.hours")]),
    config("segment.bytes", int(14), "1073741824", &[same("log.segment.bytes")]).until(V4_0),
    config("segment.bytes", int(1_048_576), "1073741824", &[same("log.segment.bytes")]).since(V4_1),
    config("segment.index.bytes", int(4), "10485760", &[same("log.index.size.max.bytes")]),
    config("segment.jitter.ms", long(0), "0", &[same("log.roll.jitter.ms"), hours("log.roll.jitter.hours")]),
    config("segment.ms", long(1), "604800000", &[same("log.roll.ms"), hours("log.roll.hours")]),
    config("unclean.leader.election.enable", Boolean, "false", &[same("unclean.leader.election.enable")]),];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_known_once_in_a_line() {
        for line in [V3_9, V4_0, V4_1, Line::V4_2, Line::V4_3, V4_4] {
            let names: Vec<_> = TopicConfig::of(line).map(|config| config.name).collect();
            assert!(
                names.is_sorted_by(|one, other| one < other),
                "{line:?}: {names:?}"
            );
        }
        let count = |line| TopicConfig::of(line).count();
        assert_eq!([V3_9, V4_0, V4_1, V4_4].map(count), [36, 33, 34, 38]);
    }

    #[test]
    fn what_changed_between_lines() {
        let default = |line| {
            TopicConfig::named(line, "message.timestamp.after.max.ms")
                .unwrap()
                .default
        };
        assert_eq!(default(V3_9), Some("9223372036854775807"));
        assert_eq!(default(V4_0), Some("3600000"));
        let least = |line| TopicConfig::named(line, "segment.bytes").unwrap().kind;
        assert_eq!(least(V4_0), Number(14, INT_MAX));
        assert_eq!(least(V4_1), Number(1_048_576, INT_MAX));
    }
}
