use std::str::FromStr;

/// A range of seeds, without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeds {
    /// The first seed that runs.
    pub from: u64,
    /// The first that is not run.
    pub to: u64,
}

/// What is no range of seeds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSeeds {
    /// Neither a number nor two.
    #[error("expected A..B or one number")]
    Form,
    /// The end is not behind the beginning.
    #[error("the range is empty: its end, {to}, is not run")]
    Empty { to: u64 },
}

impl Seeds {
    pub(super) fn count(self) -> u64 {
        self.to - self.from
    }

    /// The seeds in portions of a size, in order.
    pub(super) fn portions(self, size: usize) -> impl Iterator<Item = std::ops::Range<u64>> {
        let size = size.max(1) as u64;
        let starts = (0..self.count().div_ceil(size)).map(move |at| self.from + at * size);
        starts.map(move |start| start..start.saturating_add(size).min(self.to))
    }
}

impl FromStr for Seeds {
    type Err = NoSeeds;

    fn from_str(text: &str) -> Result<Self, NoSeeds> {
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| NoSeeds::Form);
        let (from, to) = if let Some((from, to)) = text.split_once("..") {
            (number(from)?, number(to)?)
        } else {
            let one = number(text)?;
            (one, one.checked_add(1).ok_or(NoSeeds::Form)?)
        };
        if from >= to {
            return Err(NoSeeds::Empty { to });
        }
        Ok(Seeds { from, to })
    }
}

#[cfg(test)]
mod tests {
    use super::{NoSeeds, Seeds};

    #[test]
    fn ranges_and_single_seeds_are_read() {
        assert_eq!("3..7".parse(), Ok(Seeds { from: 3, to: 7 }));
        assert_eq!("5".parse(), Ok(Seeds { from: 5, to: 6 }));
        assert_eq!("7..7".parse::<Seeds>(), Err(NoSeeds::Empty { to: 7 }));
        assert_eq!("a..7".parse::<Seeds>(), Err(NoSeeds::Form));
        assert_eq!(u64::MAX.to_string().parse::<Seeds>(), Err(NoSeeds::Form));
    }

    #[test]
    fn portions_cover_every_seed_once() {
        let seeds = Seeds { from: 3, to: 14 };
        let all: Vec<u64> = seeds.portions(4).flatten().collect();
        assert_eq!(all, (3..14).collect::<Vec<u64>>());
    }
}
