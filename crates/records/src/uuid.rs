//! [`Uuid`]: 16 bytes with Kafka's text form.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Java's decoder takes padded and bare text, and ignores bits that do not fill a byte.
const TEXT: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Longest text that is looked at: 22 characters and two of padding.
const MAX_TEXT_LEN: usize = 24;

/// How many ids, counted from zero, are never generated.
const RESERVED: u64 = 100;

/// A 128-bit id: of a topic, a log directory, an incarnation of a process, a cluster.
///
/// Ordered as Kafka orders them: two signed 64-bit halves, high half first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Uuid([u8; 16]);

impl Uuid {
    /// All zeros: "none" wherever an id may be missing.
    pub const ZERO: Uuid = Uuid([0; 16]);
    /// The topic id of `__cluster_metadata`, `AAAAAAAAAAAAAAAAAAAAAQ`.
    pub const METADATA_TOPIC_ID: Uuid = Uuid([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);

    /// The id with these bytes, most significant first.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The bytes, most significant first, as they stand in records.
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// Whether this is one of the first 100 ids, which no generator hands out.
    pub fn is_reserved(&self) -> bool {
        let (high, low) = self.halves();
        high == 0 && (0..RESERVED.cast_signed()).contains(&low)
    }

    /// The id that Kafka would generate out of 16 random bytes, or `None` if it would draw again.
    ///
    /// Version and variant bits become those of a random (version 4) id; ids whose text starts with `-` (they read
    /// like an option on a command line) and reserved ones are drawn again.
    pub fn generate_from(random: [u8; 16]) -> Option<Self> {
        let mut bytes = random;
        bytes[6] = (bytes[6] & 0x0f) | 0x40;
        bytes[8] = (bytes[8] & 0x3f) | 0x80;
        let uuid = Self(bytes);
        let starts_with_dash = bytes[0] >> 2 == 62;
        (!starts_with_dash && !uuid.is_reserved()).then_some(uuid)
    }

    /// `Uuid.hashCode()`, which orders the hash tables of Kafka that hold ids.
    pub fn hash_code(&self) -> i32 {
        determinism::java::hash_uuid(&self.0)
    }

    fn halves(&self) -> (i64, i64) {
        let value = i128::from_be_bytes(self.0);
        ((value >> 64) as i64, value as i64)
    }
}

impl PartialOrd for Uuid {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Uuid {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.halves().cmp(&other.halves())
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&TEXT.encode(self.0))
    }
}

impl fmt::Debug for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is not a [`Uuid`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseUuidError {
    /// Longer than 24 characters.
    #[error("`{prefix}…` is too long for a base64 UUID: at most 24 characters, found {found}")]
    TooLong {
        /// Its first characters.
        prefix: String,
        /// Its length in characters.
        found: usize,
    },
    /// A character outside the url-safe alphabet, or a length that no bytes encode to.
    #[error("`{text}` is not url-safe base64: {reason}")]
    NotBase64 {
        text: String,
        /// What the decoder says.
        reason: String,
    },
    /// Not 16 bytes.
    #[error("`{text}` decodes to {found} bytes, expected the 16 of a base64 UUID")]
    WrongLength {
        text: String,
        /// How many bytes it holds.
        found: usize,
    },
}

impl FromStr for Uuid {
    type Err = ParseUuidError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.chars().count() > MAX_TEXT_LEN {
            return Err(ParseUuidError::TooLong {
                prefix: text.chars().take(MAX_TEXT_LEN).collect(),
                found: text.chars().count(),
            });
        }
        let bytes = TEXT
            .decode(text)
            .map_err(|error| ParseUuidError::NotBase64 {
                text: text.to_owned(),
                reason: error.to_string(),
            })?;
        let found = bytes.len();
        let bytes = <[u8; 16]>::try_from(bytes).map_err(|_| ParseUuidError::WrongLength {
            text: text.to_owned(),
            found,
        })?;
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_is_url_safe_base64_without_padding() {
        assert_eq!(Uuid::ZERO.to_string(), "AAAAAAAAAAAAAAAAAAAAAA");
        assert_eq!(
            Uuid::METADATA_TOPIC_ID.to_string(),
            "AAAAAAAAAAAAAAAAAAAAAQ"
        );
        assert_eq!(
            Uuid::from_bytes([0xff; 16]).to_string(),
            "_____________________w"
        );
        assert_eq!(
            "_____________________w".parse(),
            Ok(Uuid::from_bytes([0xff; 16]))
        );
    }

    #[test]
    fn padded_text_and_stray_low_bits_parse_as_in_java() {
        assert_eq!(
            "AAAAAAAAAAAAAAAAAAAAAQ==".parse(),
            Ok(Uuid::METADATA_TOPIC_ID)
        );
        assert_eq!(
            "AAAAAAAAAAAAAAAAAAAAAR".parse(),
            Ok(Uuid::METADATA_TOPIC_ID)
        );
    }

    #[test]
    fn other_texts_are_refused_for_what_they_are() {
        let refusal = |text: &str| text.parse::<Uuid>().expect_err("not an id");
        assert!(matches!(
            refusal("AAAAAAAAAAAAAAAAAAAAAAAAA"),
            ParseUuidError::TooLong { found: 25, .. }
        ));
        assert!(matches!(
            refusal("AAAA"),
            ParseUuidError::WrongLength { found: 3, .. }
        ));
        assert!(matches!(
            refusal("A+AAAAAAAAAAAAAAAAAAAA"),
            ParseUuidError::NotBase64 { .. }
        ));
        assert!(matches!(
            refusal(""),
            ParseUuidError::WrongLength { found: 0, .. }
        ));
    }

    #[test]
    fn generated_ids_are_random_ids_that_read_well() {
        let drawn = Uuid::generate_from([0xff; 16]).expect("does not start with a dash");
        assert_eq!(drawn.as_bytes()[6], 0x4f);
        assert_eq!(drawn.as_bytes()[8], 0xbf);
        for first in 0..=u8::MAX {
            let mut random = [0; 16];
            random[0] = first;
            let drawn = Uuid::generate_from(random);
            assert_eq!(
                drawn.is_none(),
                (0xf8..=0xfb).contains(&first),
                "first byte {first:#x}"
            );
            assert!(drawn.is_none_or(|uuid| !uuid.to_string().starts_with('-')));
        }
    }

    #[test]
    fn the_first_hundred_are_reserved() {
        let low = |low: u8| {
            let mut bytes = [0; 16];
            bytes[15] = low;
            Uuid::from_bytes(bytes)
        };
        assert!(low(0).is_reserved() && low(99).is_reserved());
        assert!(!low(100).is_reserved());
        assert!(
            !Uuid::from_bytes([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]).is_reserved()
        );
    }

    #[test]
    fn order_is_that_of_signed_halves() {
        let high_bit = Uuid::from_bytes([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let low_bit = Uuid::from_bytes([0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0]);
        assert!(high_bit < low_bit && low_bit < Uuid::ZERO);
    }
}
