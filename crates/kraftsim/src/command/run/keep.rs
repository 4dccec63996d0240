//! What scenarios leave behind, written to the real file system.

use std::fs;
use std::path::{Path, absolute};

use config::ServerConfig;
use config::properties::Properties;
use disk::{Disk, StdDisk, copy_tree};
use simulator::scenario::run::Left;

use super::Report;
use crate::Diagnosis;

/// Writes `dir/SCENARIO/node-N` for every node of every scenario. Nothing that stands there already is touched.
pub(crate) fn keep(reports: &[Report], dir: &Path) -> Result<(), Diagnosis> {
    let cannot = |error: std::io::Error| {
        Diagnosis::new(format!("nothing can be kept here: {error}")).at(dir.display().to_string())
    };
    let dir = absolute(dir).map_err(cannot)?;
    for report in reports {
        let stem = report.source.path.file_stem().unwrap_or_default();
        let scenario = dir.join(stem);
        if scenario.exists() {
            return Err(Diagnosis::new("something stands here already")
                .at(scenario.display().to_string())
                .advice("--keep writes new directories only; name another one"));
        }
        for left in &report.outcome.left {
            let node = scenario.join(format!("node-{}", left.node));
            fs::create_dir_all(&node).map_err(cannot)?;
            node_left(left, &node.to_string_lossy()).map_err(|error| {
                Diagnosis::new(format!("node {} cannot be kept: {error}", left.node))
                    .at(node.display().to_string())
            })?;
        }
    }
    Ok(())
}

/// The directories of a node below `target`, by their names, and a `server.properties` beside them.
fn node_left(left: &Left, target: &str) -> Result<(), disk::DiskError> {
    let config = ServerConfig::parse(left.properties.clone())
        .expect("the configuration of a machine was read when it was made");
    let moved = |dir: &str| format!("{target}/{}", dir.trim_matches('/').replace('/', "-"));
    let (mut source, mut real) = (left.disk.clone(), StdDisk::new());
    for directory in config.all_directories() {
        if source.list(&directory).is_ok() {
            copy_tree(&mut source, &directory, &mut real, &moved(&directory))?;
        } else {
            real.create_dir_all(&moved(&directory))?;
        }
    }
    let mut properties = Properties::default();
    for (key, value) in &left.properties {
        let value = match key.as_str() {
            "log.dirs" | "log.dir" | "metadata.log.dir" => {
                let moved: Vec<String> = value.split(',').map(|dir| moved(dir.trim())).collect();
                moved.join(",")
            }
            _ => value.clone(),
        };
        properties.set(key, &value);
    }
    let path = format!("{target}/server.properties");
    real.create(&path)?;
    real.append(&path, &properties.to_bytes())
}
