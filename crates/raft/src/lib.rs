//! Who leads and what is committed: one replica as a pure state machine
