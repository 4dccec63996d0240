/// A deadline on a clock that is told the time, in milliseconds.
///
/// Source: `clients/…/common/utils/Timer.java`: time only moves forward, and a reset counts from the last time told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Timer {
    now_ms: i64,
    deadline_ms: i64,
}

impl Timer {
    pub(crate) fn new(now_ms: i64, timeout_ms: i64) -> Self {
        Timer {
            now_ms,
            deadline_ms: now_ms.saturating_add(timeout_ms),
        }
    }

    pub(crate) fn update(&mut self, now_ms: i64) {
        self.now_ms = self.now_ms.max(now_ms);
    }

    pub(crate) fn reset(&mut self, timeout_ms: i64) {
        self.deadline_ms = self.now_ms.saturating_add(timeout_ms);
    }

    pub(crate) fn restart(&mut self, now_ms: i64, timeout_ms: i64) {
        self.update(now_ms);
        self.reset(timeout_ms);
    }

    pub(crate) fn remaining_ms(&mut self, now_ms: i64) -> i64 {
        self.update(now_ms);
        (self.deadline_ms - self.now_ms).max(0)
    }

    pub(crate) fn is_expired(&mut self, now_ms: i64) -> bool {
        self.update(now_ms);
        self.now_ms >= self.deadline_ms
    }
}

#[cfg(test)]
mod tests {
    use super::Timer;

    #[test]
    fn time_never_goes_back_and_never_comes() {
        let mut timer = Timer::new(100, 50);
        assert_eq!(timer.remaining_ms(120), 30);
        assert_eq!(timer.remaining_ms(90), 30);
        assert!(timer.is_expired(150));
        timer.restart(140, 10);
        assert_eq!(timer.remaining_ms(150), 10);
        let mut never = Timer::new(100, i64::MAX);
        assert!(!never.is_expired(i64::MAX - 1));
    }
}
