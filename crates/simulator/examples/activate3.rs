//! How fast three controllers go from a fresh format to quiet: runs and events a second on one core.
//!
//! `cargo run --release -p simulator --example activate3 [RUNS]`

#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a benchmark reads the clock"
)]

use config::ServerConfig;
use determinism::{Rng, Time};
use node::NodeConfig;
use records::NodeId;
use releases::Release;
use simulator::World;
use storage_tool::{FormatRequest, SeededDraws, plan};

fn config(id: i32) -> Result<NodeConfig, Box<dyn std::error::Error>> {
    let entries = [
        ("process.roles", "controller".to_owned()),
        ("node.id", id.to_string()),
        (
            "controller.quorum.voters",
            "1@c1:1,2@c2:1,3@c3:1".to_owned(),
        ),
        ("controller.listener.names", "CONTROLLER".to_owned()),
        ("listeners", format!("CONTROLLER://c{id}:1")),
        ("log.dirs", format!("/node-{id}")),
    ];
    Ok(NodeConfig::new(ServerConfig::parse(entries)?))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runs: u64 = std::env::args()
        .nth(1)
        .map_or(Ok(1_000), |text| text.parse())?;
    let release = Release::V4_4_0;
    let rules = release.rules();
    let configs = [config(1)?, config(2)?, config(3)?];
    let began = std::time::Instant::now();
    let (mut events, mut messages) = (0, 0);
    for seed in 0..runs {
        let mut world = World::new(seed);
        for config in &configs {
            world.add(config.clone(), rules.clone());
            let id = config.node_id();
            let mut draws = SeededDraws::new(Rng::from_seed(seed), 1_700_000_000_000);
            let disk = world.disk_mut(id).ok_or("the machine was just added")?;
            let request = FormatRequest::new("cluster");
            plan(&rules, config.server(), &request, disk, &mut draws)?.write(disk, &mut draws)?;
        }
        for id in 1..=3 {
            world.start(NodeId(id));
        }
        let registered = |world: &World| {
            world
                .machines()
                .filter_map(|machine| machine.node())
                .all(|node| node.registration_state() == node::RegistrationState::Settled)
        };
        if !world.run_until(Time::from_secs(20), registered) {
            return Err(format!("seed {seed}: not quiet within 20 simulated seconds").into());
        }
        events += world.events();
        messages += world.messages_sent();
    }
    let seconds = began.elapsed().as_micros().max(1) / 1_000;
    println!("{runs} runs, {events} events, {messages} messages in {seconds} ms");
    Ok(())
}
