//! What brokers and administrators ask of a controller, drawn at random.

use serde_json::{Value, json};

use super::Generator;

const BROKERS: [i32; 4] = [11, 12, 13, 14];
const TOPICS: [&str; 5] = ["a", "b", "c.d", "c_d", "e"];

impl Generator {
    /// One request, mostly to the active controller.
    pub(super) fn ask_for_brokers(&mut self) {
        if self.view.active().is_empty() && !self.rng.chance(1, 20) {
            return;
        }
        let Some(node) = self.active_or_another() else {
            return;
        };
        let command = match self.rng.below(100) {
            0..12 => self.registration(),
            12..53 => self.heartbeat(),
            53..63 => self.new_topic(),
            63..71 => self.configuration(),
            71..74 => json!({ "op": "unregisterBroker", "id": self.broker() }),
            74..76 => self.features(),
            76..78 => self.producer_ids(),
            78..83 => self.election(),
            83..89 => self.in_sync(),
            89..95 => self.reassignment(),
            95..98 => self.assignment(),
            _ => {
                let all = self.profile.all();
                json!({ "op": "registerController", "id": self.pick(&all) })
            }
        };
        self.of_controller(node, command);
    }

    fn broker(&mut self) -> i32 {
        self.pick(&BROKERS).unwrap_or(11)
    }

    fn registration(&mut self) -> Value {
        let broker = self.broker();
        let mut command = json!({ "op": "registerBroker", "id": broker });
        if self.rng.chance(1, 3) {
            command["incarnation"] = (100 + self.rng.below(3)).into();
        }
        command
    }

    fn epoch_of(&mut self, broker: i32) -> i64 {
        let known = self.view.broker_epochs.get(&broker).copied();
        match known {
            Some(epoch) if !self.rng.chance(1, 20) => epoch,
            _ => self.rng.below(40) as i64,
        }
    }

    fn heartbeat(&mut self) -> Value {
        let registered: Vec<i32> = self.view.broker_epochs.keys().copied().collect();
        let broker = self.pick(&registered).unwrap_or_else(|| self.broker());
        let offset = if self.rng.chance(9, 10) {
            100_000
        } else {
            self.rng.below(30)
        };
        let epoch = self.epoch_of(broker);
        let mut command =
            json!({ "op": "heartbeat", "id": broker, "epoch": epoch, "offset": offset });
        match self.rng.below(20) {
            0 => command["fence"] = true.into(),
            1 | 2 => command["shutdown"] = true.into(),
            3 => {
                command["fence"] = true.into();
                command["shutdown"] = true.into();
            }
            _ => {}
        }
        command
    }

    fn topic(&mut self) -> &'static str {
        self.pick(&TOPICS).unwrap_or("a")
    }

    fn new_topic(&mut self) -> Value {
        let name = match self.rng.below(30) {
            0 => "",
            1 => "no such name",
            _ => self.topic(),
        };
        let partitions = self.pick(&[1, 1, 2, 3, 3, 5, 8, -1, 0]);
        let replicas = self.pick(&[1, 2, 2, 3, 3, 4, -1, 0]);
        json!({ "op": "createTopic", "name": name, "partitions": partitions, "replicas": replicas })
    }

    fn configuration(&mut self) -> Value {
        if self.rng.chance(1, 2) {
            let (key, value) = self
                .pick(&[
                    ("retention.ms", "1000"),
                    ("retention.ms", "1000"),
                    ("retention.ms", "soon"),
                    ("min.insync.replicas", "1"),
                    ("min.insync.replicas", "2"),
                    ("min.insync.replicas", "0"),
                    ("unclean.leader.election.enable", "true"),
                    ("unclean.leader.election.enable", "false"),
                    ("cleanup.policy", "compact,delete"),
                    ("cleanup.policy", "keep"),
                    ("segment.bytes", "1000"),
                    ("no.such.thing", "1"),
                ])
                .unwrap_or(("retention.ms", "1"));
            return json!({ "op": "setConfig", "name": self.topic(), "set": { key: value } });
        }
        let name = self.pick(&["", "", "11", "12", "1", "2", "99", "-1", "x"]);
        let (key, value) = self
            .pick(&[
                ("log.cleaner.threads", "2"),
                ("min.insync.replicas", "2"),
                ("min.insync.replicas", "1"),
                ("unclean.leader.election.enable", "true"),
                ("unclean.leader.election.enable", "false"),
                ("log.retention.hours", "3"),
            ])
            .unwrap_or(("log.cleaner.threads", "2"));
        json!({ "op": "setConfig", "resource": "BROKER", "name": name, "set": { key: value } })
    }

    fn features(&mut self) -> Value {
        let (feature, level) = self
            .pick(&[
                ("eligible.leader.replicas.version", 1),
                ("eligible.leader.replicas.version", 0),
                ("group.version", 0),
                ("transaction.version", 1),
                ("metadata.version", 21),
                ("metadata.version", 25),
            ])
            .unwrap_or(("group.version", 0));
        let kind = self.pick(&[1, 1, 2, 3]);
        json!({ "op": "updateFeatures", "levels": { feature: level }, "type": kind })
    }

    fn partitions(&mut self) -> Vec<i32> {
        let all = [0, 1, 2, 0, 1, 7];
        (0..=self.rng.below(2))
            .filter_map(|_| self.pick(&all))
            .collect()
    }

    fn election(&mut self) -> Value {
        let kind = self.pick(&[0, 0, 1]);
        let topic = self.topic();
        let partitions = self.partitions();
        json!({
            "op": "electLeaders", "version": 2,
            "request": {
                "electionType": kind, "timeoutMs": 1000,
                "topicPartitions": [{ "topic": topic, "partitions": partitions }],
            },
        })
    }

    fn topic_id(&mut self) -> String {
        let known: Vec<String> = self.view.topics.values().cloned().collect();
        let unknown = "MDEyMzQ1RjeAAAAAAAAAYw".to_owned();
        self.rng.pick(&known).cloned().unwrap_or(unknown)
    }

    fn replicas(&mut self) -> Vec<i32> {
        let mut replicas = Vec::new();
        for _ in 0..=self.rng.below(3) {
            let broker = self.broker();
            if !replicas.contains(&broker) || self.rng.chance(1, 30) {
                replicas.push(broker);
            }
        }
        replicas
    }

    fn in_sync(&mut self) -> Value {
        let broker = self.broker();
        let epoch = self.epoch_of(broker);
        let mut isr = self.replicas();
        if !isr.contains(&broker) && self.rng.chance(4, 5) {
            isr.insert(0, broker);
        }
        let topic = json!({
            "topicId": self.topic_id(),
            "partitions": [{
                "partitionIndex": self.rng.below(3), "leaderEpoch": self.rng.below(4), "newIsr": isr,
                "leaderRecoveryState": i32::from(self.rng.chance(1, 10)),
                "partitionEpoch": self.rng.below(5),
            }],
        });
        json!({
            "op": "alterPartition", "version": 2,
            "request": { "brokerId": broker, "brokerEpoch": epoch, "topics": [topic] },
        })
    }

    fn reassignment(&mut self) -> Value {
        let replicas = if self.rng.chance(1, 4) {
            Value::Null
        } else {
            self.replicas().into()
        };
        let partition = json!({ "partitionIndex": self.rng.below(3), "replicas": replicas });
        let topic = json!({ "name": self.topic(), "partitions": [partition] });
        json!({
            "op": "alterPartitionReassignments", "version": 0,
            "request": { "timeoutMs": 1000, "topics": [topic] },
        })
    }

    fn assignment(&mut self) -> Value {
        let broker = self.broker();
        let epoch = self.epoch_of(broker);
        // The directory that the driver gives a broker, and others.
        let directory = match self.rng.below(4) {
            0 => "AAAAAAAAAAgAAAAAAAAADA".to_owned(),
            1 => "AAAAAAAAAAgAAAAAAAAACw".to_owned(),
            2 => "AAAAAAAAAAAAAAAAAAAAAA".to_owned(),
            _ => "BBBBBBBBBBgAAAAAAAAADA".to_owned(),
        };
        let partitions = self.partitions().into_iter();
        let partitions: Vec<Value> = partitions
            .map(|of| json!({ "partitionIndex": of }))
            .collect();
        let topics = json!([{ "topicId": self.topic_id(), "partitions": partitions }]);
        json!({
            "op": "assignReplicasToDirs", "version": 0,
            "request": {
                "brokerId": broker, "brokerEpoch": epoch,
                "directories": [{ "id": directory, "topics": topics }],
            },
        })
    }

    fn producer_ids(&mut self) -> Value {
        let broker = self.broker();
        let epoch = self.epoch_of(broker);
        json!({
            "op": "allocateProducerIds", "version": 0,
            "request": { "brokerId": broker, "brokerEpoch": epoch },
        })
    }
}
