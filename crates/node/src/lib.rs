//! One process: disk + raft + listener + controller; still pure
