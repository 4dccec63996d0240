use super::*;

const STATIC: &str = "process.roles=controller
node.id=1
controller.listener.names=CONTROLLER
listeners=CONTROLLER://127.0.0.1:19093
log.dirs=/k/data
controller.quorum.voters=1@127.0.0.1:19093,2@h2:9093";

fn parse(text: &str) -> Result<ServerConfig, ConfigError> {
    read(Release::V4_4_0, text)
}

fn read(release: Release, text: &str) -> Result<ServerConfig, ConfigError> {
    let lines = text.lines().filter_map(|line| line.split_once('='));
    ServerConfig::parse(&release.rules(), lines)
}

/// [`STATIC`] with lines added; a later line of a key replaces the earlier one.
fn with(lines: &str) -> Result<ServerConfig, ConfigError> {
    parse(&format!("{STATIC}\n{lines}"))
}

#[test]
fn a_static_controller() {
    let config = parse(STATIC).unwrap();
    assert_eq!(config.process_roles, [ProcessRole::Controller]);
    assert_eq!(config.node_id, NodeId(1));
    assert_eq!(config.metadata_log_dir, "/k/data");
    assert_eq!(config.quorum_voters[1].1.to_string(), "h2:9093");
    assert_eq!(config.listeners[0].security_protocol, "PLAINTEXT");
    assert_eq!(config.quorum.fetch_timeout_ms, 2000);
    assert_eq!(config.metadata_log.segment_bytes, 1 << 30);
    assert_eq!(config.all_directories(), ["/k/data"]);
}

#[test]
fn directories_are_listed_once_and_sorted() {
    let config = with("log.dirs=/z, /a ,/m\nmetadata.log.dir=/b").unwrap();
    assert_eq!(config.log_dirs, ["/z", "/a", "/m"]);
    assert_eq!(config.metadata_log_dir, "/b");
    assert_eq!(config.all_directories(), ["/a", "/b", "/m", "/z"]);
    assert_eq!(with("log.dirs=/z,/a").unwrap().metadata_log_dir, "/z");
}

#[test]
fn a_listener_on_every_address_is_reached_where_the_voters_say() {
    let address = |lines: &str| {
        let listener = with(lines)
            .unwrap()
            .effective_advertised_controller_listeners(UnadvertisedController::AtItsVoterAddress)
            .remove(0);
        (listener.host, listener.port)
    };
    assert_eq!(
        address("listeners=CONTROLLER://:9"),
        (Some("127.0.0.1".to_owned()), 19093)
    );
    assert_eq!(
        address("listeners=CONTROLLER://h:9"),
        (Some("h".to_owned()), 9)
    );
    assert_eq!(
        address(
            "controller.quorum.voters=\ncontroller.quorum.bootstrap.servers=h:1\nlisteners=CONTROLLER://0.0.0.0:9"
        ),
        (None, 9)
    );
    assert_eq!(
        address("listeners=CONTROLLER://:9\nadvertised.listeners=CONTROLLER://x:5"),
        (Some("x".to_owned()), 5)
    );
}

#[test]
fn broker_id_stands_in_for_node_id() {
    let lines = STATIC.replace("node.id", "broker.id");
    assert_eq!(parse(&lines).unwrap().node_id, NodeId(1));
    assert_eq!(
        with("broker.id=2").unwrap_err(),
        ConfigError::TwoNodeIds { node: 1, broker: 2 }
    );
}

#[test]
fn a_configuration_for_zookeeper_has_no_roles() {
    let lines = "zookeeper.connect=localhost:2181\nbroker.id=1";
    assert!(
        read(Release::V3_9_2, lines)
            .unwrap()
            .process_roles
            .is_empty()
    );
    let missing = ConfigError::Missing {
        key: "process.roles",
    };
    assert_eq!(read(Release::V4_0_0, lines), Err(missing));
}

#[test]
fn refusals_say_what_is_wrong() {
    for (lines, words) in [
        ("process.roles=server", "a list of broker, controller"),
        ("node.id=-1", "node.id=-1: expected at least 0"),
        ("node.id=x", "node.id=x: expected a whole number"),
        (
            "node.id=7",
            "node 7 is not in controller.quorum.voters={1, 2}",
        ),
        (
            "log.dirs=",
            "log.dirs=: expected a list without empty items",
        ),
        (
            "log.dirs=/a,",
            "log.dirs=/a,: expected a list without empty items",
        ),
        ("controller.quorum.voters=", "neither"),
        ("controller.quorum.voters=1-h:9", "expected ID@HOST:PORT"),
        (
            "controller.quorum.voters=1@h:99999",
            "expected ID@HOST:PORT",
        ),
        (
            "controller.quorum.bootstrap.servers=h",
            "expected HOST:PORT",
        ),
        (
            "controller.listener.names=OTHER",
            "gives no security protocol for CONTROLLER",
        ),
        (
            "controller.listener.names=CONTROLLER,X",
            "holds X, which is not among listeners",
        ),
        ("listeners=CONTROLLER:9", "expected NAME://HOST:PORT"),
        (
            "listeners=CONTROLLER://:1,CONTROLLER://:2",
            "a name of its own",
        ),
        (
            "listeners=CONTROLLER://:1,PLAINTEXT://:1",
            "a port of its own",
        ),
        (
            "listeners=CONTROLLER://:1,PLAINTEXT://:2",
            "listeners holds one that is not",
        ),
        (
            "process.roles=broker\nlisteners=PLAINTEXT://h:1",
            "node 1 is in controller.quorum.voters",
        ),
        (
            "process.roles=broker\nnode.id=9",
            "a broker does not listen as a controller",
        ),
        (
            "process.roles=broker,controller",
            "every listener is in controller.listener.names",
        ),
        (
            "inter.broker.listener.name=X",
            "listener.security.protocol.map has no X",
        ),
        (
            "process.roles=broker,controller\nlisteners=CONTROLLER://h:1,SSL://h:2\n\
             listener.security.protocol.map=CONTROLLER:SSL,SSL:SSL",
            "the listener between brokers is PLAINTEXT",
        ),
        ("metadata.log.segment.bytes=100", "at least 8388608"),
        ("controller.quorum.fetch.max.bytes=0", "at least 1"),
        ("unstable.feature.versions.enable=maybe", "true or false"),
        (
            "group.share.heartbeat.interval.ms=99999",
            "it must be at most group.share.max",
        ),
        (
            "ssl.key.password=secret\nlog.roll.hours=0",
            "log.roll.hours=0",
        ),
    ] {
        let found = with(lines).expect_err(lines).to_string();
        assert!(found.contains(words), "{lines}: {found}");
    }
}

#[test]
fn what_only_some_releases_refuse() {
    let lines = |more: &str| format!("{STATIC}\n{more}");
    for (more, first, last) in [
        (
            "process.roles=controller,controller",
            Release::V3_9_1,
            Release::V4_1_2,
        ),
        ("log.dirs=/a,", Release::V4_2_0, Release::V4_4_0),
        (
            "controller.listener.names=CONTROLLER,",
            Release::V4_2_0,
            Release::V4_4_0,
        ),
        (
            "controller.quorum.fetch.timeout.ms=-1",
            Release::V4_1_1,
            Release::V4_4_0,
        ),
        (
            "zookeeper.metadata.migration.enable=true",
            Release::V3_9_1,
            Release::V3_9_2,
        ),
        (
            "inter.broker.listener.name=CONTROLLER",
            Release::V4_0_0,
            Release::V4_4_0,
        ),
    ] {
        for release in Release::ALL {
            let refused = read(release, &lines(more)).is_err();
            let published = release.published();
            assert_eq!(
                refused,
                first <= published && published <= last,
                "{release}: {more}"
            );
        }
    }
}

#[test]
fn what_a_start_refuses_besides() {
    let old = |more: &str| read(Release::V4_0_2, &format!("{STATIC}\n{more}")).unwrap();
    assert_eq!(old("").start_problem(), None);
    for more in [
        "metadata.log.segment.bytes=100",
        "controller.quorum.fetch.timeout.ms=-1",
        "listeners=CONTROLLER://:70000",
    ] {
        assert!(old(more).start_problem().is_some(), "{more}");
    }
    let small = "metadata.log.segment.bytes=100\nmetadata.log.segment.min.bytes=100";
    assert_eq!(old(small).start_problem(), None);
}

#[test]
fn some_releases_do_not_look_among_the_voters() {
    let config = with("listeners=CONTROLLER://:9").unwrap();
    let listeners =
        config.effective_advertised_controller_listeners(UnadvertisedController::AtMachineName);
    assert_eq!((listeners[0].host.as_deref(), listeners[0].port), (None, 9));
}
