//! What the bodies of requests and responses have in common, as Kafka's own JSON converters write it.

use raft::Endpoints;
use raft::message::NodeEndpoint;
use serde_json::{Value, json};

pub(super) const TOPIC: &str = "__cluster_metadata";
pub(super) const TOPIC_ID: &str = "AAAAAAAAAAAAAAAAAAAAAQ";

pub(super) fn endpoints(endpoints: &Endpoints) -> Value {
    let list: Vec<Value> = endpoints
        .iter()
        .map(|(name, at)| json!({ "name": name.as_str(), "host": &*at.host, "port": at.port }))
        .collect();
    list.into()
}

pub(super) fn with_endpoint(mut body: Value, endpoint: Option<&NodeEndpoint>) -> Value {
    if let Some(endpoint) = endpoint {
        let at = &endpoint.address;
        body["nodeEndpoints"] =
            json!([{ "nodeId": endpoint.node_id, "host": &*at.host, "port": at.port }]);
    }
    body
}

pub(super) fn topic(partition: &Value) -> Value {
    json!([{ "topicName": TOPIC, "partitions": [partition] }])
}
