use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// A moment, or a length of time, in microseconds since the run began.
///
/// One type serves both because a run begins at zero; arithmetic saturates, so `Time::MAX` means "never".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

impl Time {
    /// The beginning of the run.
    pub const ZERO: Time = Time(0);
    /// Stands for a moment that never comes.
    pub const MAX: Time = Time(u64::MAX);

    /// A time of `micros` microseconds.
    pub const fn from_micros(micros: u64) -> Self {
        Time(micros)
    }

    /// A time of `millis` milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Time(millis.saturating_mul(1_000))
    }

    /// A time of `secs` seconds.
    pub const fn from_secs(secs: u64) -> Self {
        Time(secs.saturating_mul(1_000_000))
    }

    /// Microseconds since the run began.
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// Whole milliseconds since the run began, rounded down, as Kafka's `Time.milliseconds()` does.
    pub const fn as_millis(self) -> u64 {
        self.0 / 1_000
    }

    /// `self - earlier`, or zero.
    #[must_use]
    pub const fn since(self, earlier: Time) -> Time {
        Time(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Time {
    type Output = Time;
    fn add(self, other: Time) -> Time {
        Time(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Time {
    fn add_assign(&mut self, other: Time) {
        *self = *self + other;
    }
}

impl Sub for Time {
    type Output = Time;
    fn sub(self, other: Time) -> Time {
        self.since(other)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}s", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}

#[cfg(test)]
mod tests {
    use super::Time;

    #[test]
    fn saturates_at_both_ends() {
        assert_eq!(Time::ZERO - Time::from_millis(1), Time::ZERO);
        assert_eq!(Time::MAX + Time::from_millis(1), Time::MAX);
        assert_eq!(Time::from_micros(1_234_567).to_string(), "1.234567s");
    }
}
