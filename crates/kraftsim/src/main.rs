//! The command line of kraftsim, and the reports people look at.

fn main() {}
