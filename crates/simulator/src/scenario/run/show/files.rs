use disk::path;

use crate::describe;
use crate::scenario::run::table::Table;
use crate::world::Machine;

/// Files that a start makes anew from the log.
const INDEXES: [&str; 3] = [".index", ".timeindex", ".txnindex"];

/// What stands in the metadata log directory, and what it holds.
pub fn files(machine: &Machine) -> Vec<String> {
    let mut table = Table::bare();
    let (disk, folder) = (machine.disk(), machine.metadata_dir());
    for (name, _) in disk.files_in(folder) {
        if INDEXES.iter().any(|suffix| name.ends_with(suffix)) {
            continue;
        }
        let content = disk.look(&path::join(folder, &name)).unwrap_or_default();
        let words = describe::file(&name, &content);
        table.row([name, words]);
    }
    let lines = table.lines();
    if lines.is_empty() {
        vec!["nothing".to_owned()]
    } else {
        lines
    }
}
