//! [`Float64`]: a number that is carried, never computed with.

use std::fmt;

/// An IEEE 754 double, compared by its bits: a record with a NaN in it equals itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Float64(u64);

impl Float64 {
    /// The number with these bits.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    pub const fn to_bits(self) -> u64 {
        self.0
    }

    pub const fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl From<f64> for Float64 {
    fn from(value: f64) -> Self {
        Self(value.to_bits())
    }
}

impl fmt::Debug for Float64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.get(), f)
    }
}
