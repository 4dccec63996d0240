//! Whole-system tests of kraftsim.
