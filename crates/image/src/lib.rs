//! Metadata state as a fold of records: persistent maps, delta, loader, snapshot writing, hash
