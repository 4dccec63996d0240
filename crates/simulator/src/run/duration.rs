//! Lengths of time with a unit: `300ms`, `4s`, `3.2s`, `2min`, `50us`.

use determinism::Time;

use super::Problem;

/// Units and their microseconds, the largest first.
const UNITS: [(&str, u64); 5] = [
    ("h", 3_600_000_000),
    ("min", 60_000_000),
    ("s", 1_000_000),
    ("ms", 1_000),
    ("us", 1),
];

/// Reads a time; the problem's place is the caller's to fill in.
pub(crate) fn parse(word: &str) -> Result<Time, Problem> {
    let digits = word
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(word.len());
    let (amount, unit) = word.split_at(digits);
    if unit.is_empty() {
        return Err(
            Problem::new(0..0, format!("`{word}` is a time without a unit"))
                .suggesting(format!("write `{word}s` or `{word}ms`")),
        );
    }
    let Some((_, micros)) = UNITS.iter().find(|(name, _)| *name == unit) else {
        return Err(
            Problem::new(0..0, format!("`{unit}` is not a unit of time"))
                .suggesting("units are us, ms, s, min, h"),
        );
    };
    scaled(amount, *micros)
        .map(Time::from_micros)
        .ok_or_else(|| {
            Problem::new(
                0..0,
                format!("`{word}` is not a time in whole microseconds"),
            )
        })
}

/// `amount` (digits, perhaps a point and digits) times `unit`, where it is whole and fits.
fn scaled(amount: &str, unit: u64) -> Option<u64> {
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, ""));
    let whole: u64 = whole.parse().ok()?;
    let mut total = whole.checked_mul(unit)?;
    let mut scale = unit;
    for digit in fraction.chars() {
        let part = u64::from(digit.to_digit(10)?) * scale;
        if !part.is_multiple_of(10) {
            return None;
        }
        total = total.checked_add(part / 10)?;
        scale = if scale.is_multiple_of(10) {
            scale / 10
        } else if part == 0 {
            scale
        } else {
            return None;
        };
    }
    Some(total)
}

/// How a person writes a time: whole hours, minutes, seconds or milliseconds, else seconds or milliseconds with a
/// fraction.
pub fn print(time: Time) -> String {
    let micros = time.as_micros();
    let whole = UNITS[..4]
        .iter()
        .find(|(_, size)| micros.is_multiple_of(*size));
    let (unit, size) = match whole {
        _ if micros == 0 => ("s", 1),
        Some((unit, size)) if *size > 1_000 || micros < 1_000_000 => (*unit, *size),
        _ if micros < 1_000 => ("us", 1),
        _ if micros < 1_000_000 => ("ms", 1_000),
        _ => ("s", 1_000_000),
    };
    let (amount, rest) = (micros / size, micros % size);
    if rest == 0 {
        return format!("{amount}{unit}");
    }
    let digits = if size == 1_000 { 3 } else { 6 };
    let fraction = format!("{rest:0digits$}");
    format!("{amount}.{}{unit}", fraction.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::{parse, print};
    use determinism::Time;

    #[test]
    fn reads_every_unit_and_fractions() {
        for (word, micros) in [
            ("50us", 50),
            ("300ms", 300_000),
            ("3.2s", 3_200_000),
            ("2min", 120_000_000),
            ("1h", 3_600_000_000),
            ("0s", 0),
            ("1.000001s", 1_000_001),
            ("0.5ms", 500),
        ] {
            assert_eq!(parse(word), Ok(Time::from_micros(micros)), "{word}");
        }
    }

    #[test]
    fn refuses_what_is_no_time() {
        for word in [
            "5",
            "5m",
            "1.5us",
            "1.0000001s",
            "1.2.3s",
            ".s",
            "99999999999999999999s",
        ] {
            assert!(parse(word).is_err(), "{word}");
        }
    }

    #[test]
    fn prints_what_it_reads() {
        for micros in [0, 1, 999, 1_000, 1_500, 3_200_000, 60_000_000, 90_000_000] {
            let time = Time::from_micros(micros);
            assert_eq!(parse(&print(time)), Ok(time));
        }
        for (micros, written) in [
            (0, "0s"),
            (999, "999us"),
            (41_234, "41.234ms"),
            (300_000, "300ms"),
            (3_200_000, "3.2s"),
            (27_613_482, "27.613482s"),
            (60_000_000, "1min"),
            (90_000_000, "90s"),
        ] {
            assert_eq!(print(Time::from_micros(micros)), written);
        }
    }
}
