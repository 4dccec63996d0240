//! The text of Java's `Date.toString()` in UTC: the comment line of a properties file.

const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
const DAY_MS: i64 = 86_400_000;

/// `Sat Jan 04 12:00:00 UTC 2025` for a time in milliseconds since 1970.
pub fn java_date(millis: i64) -> String {
    let (days, in_day) = (millis.div_euclid(DAY_MS), millis.rem_euclid(DAY_MS) / 1000);
    let (year, month, day) = civil(days);
    format!(
        "{} {} {day:02} {:02}:{:02}:{:02} UTC {year:04}",
        DAYS[days.rem_euclid(7) as usize],
        MONTHS[month as usize],
        in_day / 3600,
        in_day / 60 % 60,
        in_day % 60,
    )
}

/// Year, month from 0 and day from 1 of a day counted from 1970-01-01, by the Gregorian calendar. Years are counted
/// from March, so that the day that comes every fourth year is a year's last.
fn civil(days: i64) -> (i64, i64, i64) {
    let from_march_0 = days + 719_468;
    let era = from_march_0.div_euclid(146_097);
    let day_of_era = from_march_0.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let month = (from_march + 2) % 12;
    let year = era * 400 + year_of_era + i64::from(month < 2);
    (year, month, day_of_year - (153 * from_march + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::java_date;

    #[test]
    fn dates_of_the_calendar() {
        for (millis, expected) in [
            (0, "Thu Jan 01 00:00:00 UTC 1970"),
            (951_782_399_999, "Mon Feb 28 23:59:59 UTC 2000"),
            (951_782_400_000, "Tue Feb 29 00:00:00 UTC 2000"),
            (1_764_436_450_123, "Sat Nov 29 17:14:10 UTC 2025"),
            (4_102_444_800_000, "Fri Jan 01 00:00:00 UTC 2100"),
            (-1, "Wed Dec 31 23:59:59 UTC 1969"),
        ] {
            assert_eq!(java_date(millis), expected);
        }
    }
}
