//! Tagged fields of newer schemas: kept beside the message, put back where they stood.

use bytes::Bytes;
use raft::message::{ApiKey, Request};
use raft::wire::{self, Api, EncodeError, Message, UnknownTaggedFields};

use crate::recorded;

fn vote() -> (Message, i16) {
    let mut all = recorded::all().into_iter();
    let vote = all
        .find(|r| r.kind.to_string() == "VoteRequest" && r.version == 2)
        .unwrap();
    let (_, bytes, _) = vote.written.unwrap();
    (wire::decode(vote.kind, 2, &bytes).unwrap(), 2)
}

#[test]
fn kafkas_unknown_fields_are_found_where_they_stand() {
    let mut found = 0;
    for recorded in recorded::all() {
        let Ok((_, bytes, _)) = &recorded.written else {
            continue;
        };
        let (_, unknown) = wire::decode_keeping(recorded.kind, recorded.version, bytes).unwrap();
        // The n-th struct of a sample has the tags 100 + n and 16384 + n.
        let mut tags = Vec::new();
        for (_, fields) in unknown.iter() {
            let fields = fields.as_slice();
            assert_eq!(fields[0].data, Bytes::from_static(&[0, 0xff]));
            assert_eq!(fields[1].tag, fields[0].tag - 100 + 16384);
            tags.push(fields[0].tag);
            found += 1;
        }
        tags.sort_unstable();
        let expected: Vec<u32> = (100..).take(tags.len()).collect();
        assert_eq!(tags, expected, "{}", recorded.place());
    }
    assert!(found > 60, "only {found} structs");
}

#[test]
fn a_field_goes_to_the_struct_it_names() {
    let (message, version) = vote();
    let mut unknown = UnknownTaggedFields::none();
    unknown.push("topics[0].partitions[0]", 7, Bytes::from_static(b"seven"));
    let bytes = wire::encode_keeping(&message, version, &unknown).unwrap();
    assert_eq!(
        wire::decode_keeping(message.kind(), version, &bytes),
        Ok((message, unknown))
    );
}

/// A tag that a later version gives a meaning is an unknown one before that in Kafka's newer schemas only: there the
/// reader throws, and so it is refused here.
#[test]
fn a_tag_of_another_version_is_refused() {
    let fetch = recorded::all().into_iter().find(|r| {
        r.kind == Api::from(ApiKey::Fetch).request() && r.version == 18 && r.name == "follower"
    });
    let (_, bytes, _) = fetch.unwrap().written.unwrap();
    let kind = Api::from(ApiKey::Fetch).request();
    let Message::Request(Request::Fetch(read)) = wire::decode(kind, 18, &bytes).unwrap() else {
        panic!("a fetch request");
    };
    assert_eq!(read.high_watermark, 40);
    let error = wire::decode(kind, 17, &bytes).unwrap_err();
    let words = error.to_string();
    assert!(
        words.ends_with(
            "FetchRequest.topics[0].partitions[0].highWatermark: expected a tag that this version has, found tag 1"
        ),
        "{words}"
    );
}

#[test]
fn what_has_no_place_is_refused() {
    let (message, version) = vote();
    let reason = |message: &Message, version, fields: &[(&str, u32)]| {
        let mut unknown = UnknownTaggedFields::none();
        for (within, tag) in fields {
            unknown.push(within, *tag, Bytes::new());
        }
        match wire::encode_keeping(message, version, &unknown) {
            Err(EncodeError::UnknownTag { reason, .. }) => reason,
            other => panic!("{other:?}"),
        }
    };
    let nowhere = "no such struct with tagged fields";
    assert_eq!(reason(&message, version, &[("topics[1]", 5)]), nowhere);
    assert_eq!(
        reason(&message, version, &[("topics[0].topicName", 5)]),
        nowhere
    );
    assert_eq!(
        reason(&message, version, &[("", 5), ("", 5)]),
        "tags must ascend"
    );
    assert_eq!(
        reason(&message, version, &[("", 6), ("", 5)]),
        "tags must ascend"
    );

    let fetch = recorded::all().into_iter().find(|r| {
        r.kind == Api::from(ApiKey::Fetch).request() && r.version == 17 && r.name == "follower"
    });
    let (_, bytes, _) = fetch.unwrap().written.unwrap();
    let fetch = wire::decode(Api::from(ApiKey::Fetch).request(), 17, &bytes).unwrap();
    let known = "the schema has a field of this tag";
    let partition = "topics[0].partitions[0]";
    assert_eq!(reason(&fetch, 17, &[(partition, 1)]), known);
    assert_eq!(
        reason(&fetch, 11, &[("", 9)]),
        nowhere,
        "no tagged fields before 12"
    );
}
