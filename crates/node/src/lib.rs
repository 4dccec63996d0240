//! One process: disk + raft + listener + controller; still pure

mod controller_channel;
mod ended;
mod registration;
mod thread;

pub use ended::Ended;
pub use registration::{
    Published, RegistrationAnswer, RegistrationManager, RegistrationState, Support,
};
pub use thread::Thread;
