//! `meta.properties`: whose log directory it is.

use bytes::Bytes;
use records::{NodeId, Uuid};

use crate::properties::{Properties, store};
use crate::whole_number;
use raft_log::{Corrupt, quoted};

/// Name of the file in a log directory.
pub const FILE_NAME: &str = "meta.properties";

/// The version of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MetaPropertiesVersion {
    /// From the days of ZooKeeper: `broker.id`, everything optional.
    V0,
    /// KRaft: `node.id` and `cluster.id` required.
    V1,
}

impl MetaPropertiesVersion {
    /// The number in the file.
    pub fn number(self) -> i16 {
        match self {
            MetaPropertiesVersion::V0 => 0,
            MetaPropertiesVersion::V1 => 1,
        }
    }
}

/// What `meta.properties` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetaProperties {
    /// Version; absent in the file means 0.
    pub version: MetaPropertiesVersion,
    /// Cluster id, of no particular shape.
    pub cluster_id: Option<String>,
    /// Node id: `node.id` in version 1, `broker.id` in version 0.
    pub node_id: Option<NodeId>,
    /// Id of the log directory.
    pub directory_id: Option<Uuid>,
}

impl MetaProperties {
    /// A file of version 1.
    pub fn v1(cluster_id: &str, node_id: NodeId, directory_id: Uuid) -> MetaProperties {
        MetaProperties {
            version: MetaPropertiesVersion::V1,
            cluster_id: Some(cluster_id.to_owned()),
            node_id: Some(node_id),
            directory_id: Some(directory_id),
        }
    }

    /// Reads the file as 4.4:server-common/…/MetaProperties.java does; other keys are not looked at.
    pub fn parse(file: &str, bytes: &Bytes) -> Result<MetaProperties, Corrupt> {
        MetaProperties::from_properties(file, &Properties::parse(file, bytes)?)
    }

    /// The same from properties that are read already.
    pub fn from_properties(file: &str, properties: &Properties) -> Result<MetaProperties, Corrupt> {
        let wrong = |key: &str, expected: &str| {
            let at = properties.position(key).unwrap_or(0);
            let found = properties
                .get(key)
                .map_or_else(|| "none".to_owned(), quoted);
            Corrupt::invalid(file, at, expected, found)
        };
        let version = match whole_number::<i16>(properties.get("version").unwrap_or("0")) {
            Some(0) => MetaPropertiesVersion::V0,
            Some(1) => MetaPropertiesVersion::V1,
            _ => return Err(wrong("version", "version 0 or 1")),
        };
        let id_key = id_key(version);
        let node_id = match properties.get(id_key) {
            None => None,
            Some(text) => {
                let id = whole_number(text)
                    .ok_or_else(|| wrong(id_key, &format!("{id_key} as a number")))?;
                Some(NodeId(id))
            }
        };
        let cluster_id = properties.get("cluster.id").map(str::to_owned);
        let directory_id = match properties.get("directory.id") {
            None => None,
            Some(text) => {
                let parsed = text.parse();
                Some(parsed.map_err(|_| wrong("directory.id", "directory.id as a base64 uuid"))?)
            }
        };
        if version == MetaPropertiesVersion::V1 {
            if node_id.is_none() {
                return Err(wrong("node.id", "a property node.id"));
            }
            if cluster_id.is_none() {
                return Err(wrong("cluster.id", "a property cluster.id"));
            }
        }
        Ok(MetaProperties {
            version,
            cluster_id,
            node_id,
            directory_id,
        })
    }

    /// The file's content; `date` is the text of the comment line, as [`store`] wants it.
    pub fn to_bytes(&self, date: &str) -> Bytes {
        let version = self.version.number().to_string();
        let node_id = self.node_id.map(|id| id.to_string());
        let directory_id = self.directory_id.map(|id| id.to_string());
        let mut properties = vec![("version", version.as_str())];
        // Kafka puts the keys into its hash map in this order.
        let optional = [
            ("cluster.id", self.cluster_id.as_deref()),
            (id_key(self.version), node_id.as_deref()),
            ("directory.id", directory_id.as_deref()),
        ];
        properties.extend(
            optional
                .iter()
                .filter_map(|(key, value)| value.map(|value| (*key, value))),
        );
        store(&properties, date)
    }
}

fn id_key(version: MetaPropertiesVersion) -> &'static str {
    match version {
        MetaPropertiesVersion::V0 => "broker.id",
        MetaPropertiesVersion::V1 => "node.id",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<MetaProperties, Corrupt> {
        MetaProperties::parse("meta.properties", &Bytes::copy_from_slice(text.as_bytes()))
    }

    #[test]
    fn a_file_of_kafka_is_read_and_rewritten() {
        let text = "#\n#Sat Nov 29 17:14:10 UTC 2025\nnode.id=1\ndirectory.id=j1f40bp1NYeL-BcTIJlCpA\n\
            version=1\ncluster.id=a3JhZnRzaW0tb3JhY2xlMQ\n";
        let meta = parse(text).unwrap();
        assert_eq!(meta.node_id, Some(NodeId(1)));
        assert_eq!(meta.cluster_id.as_deref(), Some("a3JhZnRzaW0tb3JhY2xlMQ"));
        assert_eq!(meta.to_bytes("Sat Nov 29 17:14:10 UTC 2025"), text);
    }

    #[test]
    fn version_0_needs_nothing() {
        let meta = parse("").unwrap();
        assert_eq!(meta.version, MetaPropertiesVersion::V0);
        assert_eq!(
            (meta.node_id, meta.cluster_id, meta.directory_id),
            (None, None, None)
        );
        assert_eq!(
            parse("broker.id=4\nnode.id=5").unwrap().node_id,
            Some(NodeId(4))
        );
    }

    #[test]
    fn damage_is_named_and_placed() {
        for (text, position, expected) in [
            ("version=9", 0, "version 0 or 1"),
            ("#\nversion=x", 2, "version 0 or 1"),
            ("version=1\ncluster.id=x", 0, "a property node.id"),
            ("version=1\nnode.id=1", 0, "a property cluster.id"),
            (
                "version=1\nnode.id=one\ncluster.id=x",
                10,
                "node.id as a number",
            ),
            ("directory.id=short", 0, "directory.id as a base64 uuid"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(
                (error.position, error.expected.as_str()),
                (position, expected),
                "{text:?}"
            );
        }
    }
}
