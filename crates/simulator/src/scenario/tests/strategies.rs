//! Any scenario that can be written.

use determinism::Time;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use records::NodeId;
use releases::Release;

use crate::invariants::SourceKind;
use crate::run::Action;
use crate::run::action::{
    Change, ClientAction, Declaration, DiskAction, DiskPoint, DropWhich, FileRef, Format,
    FormatVoters, Formatted, Keep, LinkEnds, NetworkAction, NodeSelector, Nodes, ProcessAction,
    QuorumKind,
};
use crate::run::condition::{Clause, Condition, Count, Fact, On, Sense};
use crate::scenario::known;
use crate::scenario::verbs::judging::Judging;
use crate::scenario::verbs::looking::Looking;
use crate::scenario::verbs::network::MESSAGE_KINDS;
use crate::scenario::verbs::process::OPERATIONS;
use crate::scenario::verbs::time::{Else, Timing, WriteUntil};
use crate::scenario::{Command, Scenario, ScenarioLine, Spanned, Statement};
use crate::world::Wire;

type Made<T> = BoxedStrategy<T>;

fn id() -> Made<Spanned<NodeId>> {
    (0..2000).prop_map(|id| Spanned::made(NodeId(id))).boxed()
}

fn node() -> Made<Spanned<NodeSelector>> {
    let part = select(vec![
        NodeSelector::Leader,
        NodeSelector::OldLeader,
        NodeSelector::Followers,
        NodeSelector::Active,
        NodeSelector::All,
    ]);
    prop_oneof![id().prop_map(|id| NodeSelector::Number(id.value)), part]
        .prop_map(Spanned::made)
        .boxed()
}

fn nodes() -> Made<Nodes> {
    vec(node(), 1..4).prop_map(Nodes).boxed()
}

fn time() -> Made<Time> {
    prop_oneof![
        0..10u64,
        (0..5000u64).prop_map(|ms| ms * 1000),
        any::<u32>().prop_map(u64::from)
    ]
    .prop_map(Time::from_micros)
    .boxed()
}

fn word() -> Made<String> {
    "[A-Za-z][A-Za-z0-9._-]{0,12}".boxed()
}

/// Text that needs quotes, escapes, or nothing.
fn any_text() -> Made<String> {
    r#"[a-zé0-9 "\\#|:=,]{0,16}"#.boxed()
}

fn release() -> Made<Release> {
    select(Release::ALL.to_vec()).boxed()
}

fn file() -> Made<Spanned<FileRef>> {
    let node = prop_oneof![
        (0..99).prop_map(|id| NodeSelector::Number(NodeId(id))),
        Just(NodeSelector::Leader),
    ];
    (node, vec("[a-z0-9_.-]{0,5}[a-z0-9]", 1..3))
        .prop_map(|(node, parts)| {
            Spanned::made(FileRef {
                node,
                path: parts.join("/"),
            })
        })
        .boxed()
}

fn among(words: impl Iterator<Item = &'static str>) -> Made<String> {
    let words: Vec<String> = words.map(str::to_owned).collect();
    select(words).boxed()
}

fn version() -> Made<String> {
    among(known::metadata_versions())
}

fn feature() -> Made<(String, i16)> {
    (among(known::features()), any::<i16>()).boxed()
}

fn count() -> Made<Count> {
    prop_oneof![
        any::<i64>().prop_map(Count::Exactly),
        any::<i64>().prop_map(Count::AtLeast),
        any::<i64>().prop_map(Count::AtMost),
    ]
    .boxed()
}

fn on() -> Made<On> {
    option::of(node()).boxed()
}

fn condition() -> Made<Condition> {
    let source = select(SourceKind::NAMES.map(|(_, source)| source).to_vec());
    let fact = prop_oneof![
        on().prop_map(Fact::Active),
        on().prop_map(Fact::Claimed),
        on().prop_map(Fact::Leader),
        nodes().prop_map(Fact::Running),
        (nodes(), option::of(any_text())).prop_map(|(nodes, words)| Fact::Exited(nodes, words)),
        nodes().prop_map(Fact::Registered),
        Just(Fact::Quiet),
        Just(Fact::Answered),
        count().prop_map(Fact::Epoch),
        (count(), on()).prop_map(|(count, on)| Fact::LogEnd(count, on)),
        (count(), on()).prop_map(|(count, on)| Fact::Committed(count, on)),
        (option::of(version()), on()).prop_map(|(v, on)| Fact::MetadataVersion(v, on)),
        (feature(), on()).prop_map(|((name, level), on)| Fact::Feature(name, level, on)),
        (source, on()).prop_map(|(source, on)| Fact::Source(source, on)),
        (count(), on()).prop_map(|(count, on)| Fact::BootstrapRecords(count, on)),
        (among(known::records()), count(), on())
            .prop_map(|(name, count, on)| Fact::Records(name, count, on)),
        file().prop_map(Fact::File),
        nodes().prop_map(Fact::SameLog),
        nodes().prop_map(Fact::SameImage),
    ];
    let more = prop_oneof![
        (id(), any::<i32>()).prop_map(|(id, epoch)| Fact::Leads(id, epoch)),
        Just(Fact::Working),
        (nodes(), any::<i64>()).prop_map(|(nodes, offset)| Fact::MovedOn(nodes, offset)),
        Just(Fact::InStep),
        id().prop_map(Fact::Voter),
        id().prop_map(Fact::NonVoter),
        nodes().prop_map(Fact::Down),
    ];
    let sense = select(vec![Sense::Holds, Sense::HoldsNot]);
    let clause = (sense, prop_oneof![fact, more]);
    let clause = clause.prop_map(|(sense, fact)| Clause { sense, fact });
    vec(clause, 1..3)
        .prop_map(|clauses| Condition { clauses })
        .boxed()
}

fn declaration() -> Made<Declaration> {
    let made = |text: Made<String>| text.prop_map(Spanned::made).boxed();
    prop_oneof![
        any_text().prop_map(Declaration::Title),
        vec(any_text(), 1..4).prop_map(Declaration::Shows),
        any::<u64>().prop_map(Declaration::Seed),
        vec(id(), 1..4).prop_map(Declaration::Controllers),
        vec(id(), 1..4).prop_map(Declaration::Observers),
        release().prop_map(Declaration::Release),
        select(vec![QuorumKind::Static, QuorumKind::Dynamic]).prop_map(Declaration::Quorum),
        (option::of(id()), made(word()), any_text())
            .prop_map(|(node, key, value)| Declaration::Set { node, key, value }),
        made(word()).prop_map(Declaration::With),
        made(word()).prop_map(Declaration::Without),
        Just(Declaration::RandomDelays),
        select(vec![Wire::On, Wire::Off]).prop_map(Declaration::Wire),
    ]
    .boxed()
}

fn format() -> Made<Format> {
    let voters = select(vec![
        FormatVoters::Standalone,
        FormatVoters::InitialControllers,
        FormatVoters::NoInitialControllers,
    ]);
    let formatted = select(vec![Formatted::Again, Formatted::IgnoreFormatted]);
    (
        nodes(),
        option::of(release()),
        option::of(voters),
        option::of(version()),
        vec(feature(), 0..3),
        vec(any_text(), 0..3),
        option::of(formatted),
    )
        .prop_map(
            |(nodes, release, voters, metadata_version, features, scram, formatted)| Format {
                nodes,
                release,
                voters,
                metadata_version,
                features,
                scram,
                formatted,
            },
        )
        .boxed()
}

fn disk() -> Made<DiskAction> {
    let name = || any_text().prop_map(Spanned::made);
    let keep = prop_oneof![
        any::<u64>().prop_map(Keep::Bytes),
        any::<u32>().prop_map(Keep::Batches),
        Just(Keep::ControlBatches),
        (any::<u32>(), any::<u32>())
            .prop_map(|(batches, records)| Keep::Records { batches, records }),
    ];
    prop_oneof![
        format().prop_map(DiskAction::Format),
        (id(), name()).prop_map(|(node, path)| DiskAction::Load { node, path }),
        (file(), name()).prop_map(|(file, name)| DiskAction::Copy { file, name }),
        (file(), name()).prop_map(|(file, name)| DiskAction::Put { file, name }),
        file().prop_map(DiskAction::Remove),
        (file(), keep).prop_map(|(file, keep)| DiskAction::Truncate { file, keep }),
        (file(), any::<u64>()).prop_map(|(file, byte)| DiskAction::Corrupt { file, byte }),
        nodes().prop_map(DiskAction::Wipe),
        (id(), id()).prop_map(|(a, b)| DiskAction::Swap(a, b)),
        (id(), id()).prop_map(|(from, to)| DiskAction::Clone { from, to }),
    ]
    .boxed()
}

fn process() -> Made<ProcessAction> {
    let operation = select(OPERATIONS.map(|(_, operation)| operation).to_vec());
    let what = option::of((operation, any_text()));
    let point = (what, any::<u32>()).prop_map(|(what, nth)| DiskPoint { what, nth });
    prop_oneof![
        (nodes(), option::of(release())).prop_map(|(nodes, on)| ProcessAction::Start(nodes, on)),
        nodes().prop_map(ProcessAction::Stop),
        nodes().prop_map(ProcessAction::Crash),
        (nodes(), point).prop_map(|(nodes, point)| ProcessAction::CrashAt(nodes, point)),
        nodes().prop_map(ProcessAction::Disarm),
        nodes().prop_map(ProcessAction::LoseUnsynced),
        (nodes(), option::of(time()))
            .prop_map(|(nodes, length)| ProcessAction::Pause(nodes, length)),
        nodes().prop_map(ProcessAction::Resume),
    ]
    .boxed()
}

fn network() -> Made<NetworkAction> {
    let link = || (node(), node()).prop_map(|(from, to)| LinkEnds { from, to });
    let which = prop_oneof![
        Just(DropWhich::All),
        (any::<u32>(), 0..9u32).prop_map(|(count, after)| DropWhich::Next { count, after }),
    ];
    let kind = select(MESSAGE_KINDS.map(|(_, kind)| kind).to_vec());
    prop_oneof![
        (node(), node()).prop_map(|(a, b)| NetworkAction::Cut(a, b)),
        link().prop_map(NetworkAction::CutOneWay),
        nodes().prop_map(NetworkAction::Isolate),
        vec(nodes(), 2..4).prop_map(NetworkAction::Split),
        (node(), node()).prop_map(|(a, b)| NetworkAction::Mend(a, b)),
        link().prop_map(NetworkAction::MendOneWay),
        Just(NetworkAction::Heal),
        (link(), time()).prop_map(|(link, by)| NetworkAction::Delay(link, by)),
        (kind, option::of(link()), which).prop_map(|(kind, link, which)| NetworkAction::Drop {
            kind,
            link,
            which
        }),
    ]
    .boxed()
}

fn client() -> Made<ClientAction> {
    let change = select(vec![
        Change::Upgrade,
        Change::Downgrade,
        Change::UnsafeDowngrade,
    ]);
    let update = (word(), "[0-9]{1,3}", change).prop_map(|(feature, level, change)| {
        ClientAction::UpdateFeature {
            feature: Spanned::made(feature),
            level: Spanned::made(level),
            change,
        }
    });
    prop_oneof![
        node().prop_map(ClientAction::AddVoter),
        (node(), option::of(any_text())).prop_map(|(node, directory)| ClientAction::RemoveVoter {
            node,
            directory: directory.map(Spanned::made),
        }),
        node().prop_map(ClientAction::UnregisterController),
        Just(ClientAction::DescribeQuorum),
        update,
    ]
    .boxed()
}

fn looking() -> Made<Looking> {
    prop_oneof![
        nodes().prop_map(Looking::Files),
        (nodes(), option::of(any::<i64>())).prop_map(|(nodes, from)| Looking::Log(nodes, from)),
        Just(Looking::Quorum),
        nodes().prop_map(Looking::Image),
        (node(), node()).prop_map(|(a, b)| Looking::Diff(a, b)),
        nodes().prop_map(Looking::Callbacks),
        Just(Looking::Timeline),
        nodes().prop_map(Looking::Versions),
    ]
    .boxed()
}

fn otherwise() -> Made<Else> {
    option::of(word().prop_map(Spanned::made)).boxed()
}

fn judging() -> Made<Judging> {
    prop_oneof![
        (condition(), otherwise()).prop_map(|(c, broken)| Judging::Expect(c, broken)),
        condition().prop_map(Judging::Never),
        any_text().prop_map(|id| Judging::Violation(Spanned::made(id))),
    ]
    .boxed()
}

fn action() -> Made<Action> {
    prop_oneof![
        disk().prop_map(Action::Disk),
        process().prop_map(Action::Process),
        network().prop_map(Action::Network),
        client().prop_map(Action::Client),
    ]
    .boxed()
}

fn simple() -> Made<Command> {
    prop_oneof![
        declaration().prop_map(Command::Declaration),
        action().prop_map(Command::Action),
        looking().prop_map(Command::Looking),
        judging().prop_map(Command::Judging),
    ]
    .boxed()
}

fn timing() -> Made<Timing> {
    let boxed = || simple().prop_map(Box::new);
    prop_oneof![
        time().prop_map(Timing::RunFor),
        (condition(), time(), otherwise())
            .prop_map(|(until, within, broken)| Timing::RunUntil(until, within, broken)),
        (condition(), time(), otherwise())
            .prop_map(|(all, length, broken)| Timing::RunWhile(all, length, broken)),
        (nodes(), option::of(release())).prop_map(|(nodes, on)| Timing::Restart(nodes, on)),
        (nodes(), release()).prop_map(|(nodes, release)| Timing::Upgrade(nodes, release)),
        (
            any_text(),
            select(vec![WriteUntil::Committed, WriteUntil::Logged])
        )
            .prop_map(|(path, until)| Timing::Write {
                path: Spanned::made(path),
                until,
            }),
        (time(), boxed()).prop_map(|(at, command)| Timing::At(at, command)),
        (condition(), boxed()).prop_map(|(when, command)| Timing::When(when, command)),
    ]
    .boxed()
}

fn comment() -> Made<String> {
    "( [a-z|\"#]{1,8}){0,3}".boxed()
}

fn output() -> Made<Vec<String>> {
    vec("([ ]{0,3}[a-z|#\"]{1,8}){0,3}", 0..3).boxed()
}

fn line(command: Made<Command>, output: Made<Vec<String>>) -> Made<ScenarioLine> {
    let statement =
        (command, option::of(comment()), output).prop_map(|(command, comment, expected)| {
            ScenarioLine::Statement(Statement {
                command: Spanned::made(command),
                comment,
                expected: Spanned::made(expected),
            })
        });
    prop_oneof![1 => Just(ScenarioLine::Blank), 1 => comment().prop_map(ScenarioLine::Comment), 6 => statement]
        .boxed()
}

/// A scenario of any commands.
pub(super) fn scenario() -> Made<Scenario> {
    let plain = || prop_oneof![4 => simple(), 1 => timing().prop_map(Command::Timing)].boxed();
    let body = vec(line(plain(), Just(Vec::new()).boxed()), 0..3);
    let repeat =
        (any::<u32>(), body).prop_map(|(n, body)| Command::Timing(Timing::Repeat(n, body)));
    let command = prop_oneof![9 => plain(), 1 => repeat].boxed();
    vec(line(command, output()), 0..6)
        .prop_map(|lines| Scenario { lines })
        .boxed()
}
