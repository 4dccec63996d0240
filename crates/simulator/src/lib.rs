//! The world: scheduler, network, faulty disks, clocks, faults, scenarios, rehearsal
