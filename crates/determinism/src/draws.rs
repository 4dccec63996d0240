use std::collections::VecDeque;

use crate::Rng;
use crate::java::JavaRandom;

/// A stream of draws like that of a `java.util.Random`.
///
/// A driver can prescribe the next ones with [`Draws::prescribe`], and read back what was drawn with
/// [`Draws::take_log`].
#[derive(Clone, Debug)]
pub struct Draws {
    source: Source,
    prescribed: VecDeque<i32>,
    log: Option<Vec<Draw>>,
}

/// One draw that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// Values were possible from 0 to `bound − 1`.
    pub bound: i32,
    pub value: i32,
}

#[derive(Clone, Debug)]
enum Source {
    Stream(Rng),
    Java(JavaRandom),
}

impl Draws {
    /// Draws from a named stream of a run.
    pub fn from_rng(rng: Rng) -> Self {
        Draws {
            source: Source::Stream(rng),
            prescribed: VecDeque::new(),
            log: None,
        }
    }

    /// The draws that `new java.util.Random(seed)` makes.
    pub fn like_java(seed: i64) -> Self {
        Draws {
            source: Source::Java(JavaRandom::new(seed)),
            prescribed: VecDeque::new(),
            log: None,
        }
    }

    /// What the next draws are to be, each modulo its bound. The stream goes on underneath.
    pub fn prescribe(&mut self, values: impl IntoIterator<Item = i32>) {
        self.prescribed.extend(values);
    }

    /// Takes back what was prescribed and not drawn.
    pub fn take_prescribed(&mut self) -> Vec<i32> {
        self.prescribed.drain(..).collect()
    }

    /// Begins to note draws.
    pub fn keep_log(&mut self) {
        self.log.get_or_insert_with(Vec::new);
    }

    /// The draws noted since last asked.
    pub fn take_log(&mut self) -> Vec<Draw> {
        self.log.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// A value from 0 to `bound − 1`: `Random.nextInt(bound)`.
    pub fn next_int(&mut self, bound: i32) -> i32 {
        let drawn = match &mut self.source {
            Source::Stream(rng) => rng.below(bound as u64) as i32,
            Source::Java(random) => random.next_int(bound),
        };
        let value = self
            .prescribed
            .pop_front()
            .map_or(drawn, |given| given.rem_euclid(bound));
        if let Some(log) = &mut self.log {
            log.push(Draw { bound, value });
        }
        value
    }

    /// A value from `origin` to `bound − 1`: `Random.nextInt(origin, bound)`, which Kafka's drivers cannot prescribe.
    pub fn next_int_between(&mut self, origin: i32, bound: i32) -> i32 {
        match &mut self.source {
            Source::Stream(rng) => rng.range(origin as u64, bound as u64) as i32,
            Source::Java(random) => random.next_int_between(origin, bound),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Draws;

    /// What `new java.util.Random(…)` of Java 17 draws with seeds 42 and 7.
    #[test]
    fn like_java_draws_what_java_draws() {
        let mut draws = Draws::like_java(42);
        let values: Vec<i32> = (0..5).map(|_| draws.next_int(100)).collect();
        assert_eq!(values, [30, 63, 48, 84, 70]);
        let mut draws = Draws::like_java(7);
        let mut three = || {
            let ranges = (draws.next_int_between(1, 9), draws.next_int_between(1, 20));
            (ranges.0, ranges.1, draws.next_int(1024))
        };
        assert_eq!(
            [three(), three(), three()],
            [(2, 13, 767), (2, 3, 502), (2, 12, 725)]
        );
    }

    #[test]
    fn prescribed_draws_come_first_and_are_noted() {
        let mut draws = Draws::like_java(1);
        draws.keep_log();
        draws.prescribe([1003, -1]);
        assert_eq!((draws.next_int(1000), draws.next_int(1000)), (3, 999));
        assert_eq!(draws.take_log().len(), 2);
        assert!(draws.take_log().is_empty());
    }
}
