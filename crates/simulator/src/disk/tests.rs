use super::SimDisk;
use crate::disk::{DiskFault, FaultEffect, NamePattern};
use bytes::Bytes;
use disk::{Disk, DiskError, Operation};

#[test]
fn it_is_a_disk() {
    disk::suite::run(|_case| (SimDisk::new(), "/root".to_owned()));
    disk::suite::run(|_case| (SimDisk::new(), "root".to_owned()));
}

fn disk() -> SimDisk {
    let mut disk = SimDisk::new();
    disk.create_dir_all("/d").unwrap();
    disk
}

#[test]
fn a_machine_keeps_only_what_was_synced() {
    let mut d = disk();
    d.create("/d/a").unwrap();
    d.append("/d/a", &Bytes::from_static(b"one")).unwrap();
    d.sync("/d/a").unwrap();
    d.append("/d/a", &Bytes::from_static(b"two")).unwrap();
    let mut unsynced_name = d.clone();
    unsynced_name.power_loss();
    assert_eq!(unsynced_name.size("/d/a").unwrap(), None);
    d.sync_dir("/d").unwrap();
    d.rename("/d/a", "/d/b").unwrap();
    assert_eq!(d.read("/d/b").unwrap(), "onetwo");
    d.power_loss();
    assert_eq!(
        (d.read("/d/a").unwrap(), d.size("/d/b").unwrap()),
        (Bytes::from_static(b"one"), None)
    );
}

#[test]
fn an_unsynced_cut_comes_back() {
    let mut d = disk();
    d.put("/d/a", Bytes::from_static(b"synced"));
    d.truncate("/d/a", 2).unwrap();
    d.append("/d/a", &Bytes::from_static(b"xx")).unwrap();
    assert_eq!(d.read("/d/a").unwrap(), "syxx");
    d.power_loss();
    assert_eq!(d.read("/d/a").unwrap(), "synced");
    d.truncate("/d/a", 2).unwrap();
    d.sync("/d/a").unwrap();
    d.power_loss();
    assert_eq!(d.read("/d/a").unwrap(), "sy");
}

#[test]
fn the_third_sync_crashes_and_everything_after_it() {
    let mut d = disk();
    d.create("/d/quorum-state.tmp").unwrap();
    d.create("/d/other").unwrap();
    let name = NamePattern::new("quorum-state");
    d.arm(DiskFault {
        operation: Some(Operation::Sync),
        name,
        after: 2,
        effect: FaultEffect::Crash,
    });
    d.sync("/d/quorum-state.tmp").unwrap();
    d.sync("/d/other").unwrap();
    d.sync("/d/quorum-state.tmp").unwrap();
    assert_eq!(d.sync("/d/quorum-state.tmp"), Err(DiskError::Crash));
    assert_eq!(d.read("/d/other"), Err(DiskError::Crash));
    d.recover();
    assert_eq!(d.read("/d/other").unwrap(), "");
}

#[test]
fn operations_are_counted_and_one_can_be_chosen() {
    let mut d = disk();
    let before = d.operations();
    d.crash_at_operation(before + 1);
    d.create("/d/a").unwrap();
    assert_eq!(d.create("/d/b"), Err(DiskError::Crash));
    d.recover();
    assert_eq!(d.list("/d").unwrap().len(), 1);
}
