//! `--add-scram`: credentials for clients, from a password or from one salted already (RFC 5802).

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use bytes::Bytes;
use hmac::{Hmac, KeyInit as _, Mac as _};
use records::metadata::{UserScramCredentialRecord, VersionedRecord};
use sha2::{Digest as _, Sha256, Sha512};

/// Java's decoder takes padded and bare text, and ignores bits that do not fill a byte.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Iterations where none are given.
const DEFAULT_ITERATIONS: i32 = 4096;
/// Fewest and most iterations that Kafka takes, for both mechanisms.
const ITERATIONS: std::ops::RangeInclusive<i32> = 4096..=16_384;

/// How the password is hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScramMechanism {
    /// SCRAM-SHA-256
    Sha256,
    /// SCRAM-SHA-512
    Sha512,
}

impl ScramMechanism {
    fn named(name: &str) -> Option<Self> {
        match name {
            "SCRAM-SHA-256" => Some(ScramMechanism::Sha256),
            "SCRAM-SHA-512" => Some(ScramMechanism::Sha512),
            _ => None,
        }
    }

    /// As it stands in a record.
    fn code(self) -> i8 {
        match self {
            ScramMechanism::Sha256 => 1,
            ScramMechanism::Sha512 => 2,
        }
    }
}

const CLIENT_KEY: &[u8] = b"Client Key";
const SERVER_KEY: &[u8] = b"Server Key";

/// Where the password comes from.
#[derive(Clone, PartialEq, Eq)]
enum Secret {
    Password(String),
    Salted(Vec<u8>),
}

/// One `--add-scram` argument. Its `Debug` keeps the secret to itself.
#[derive(Clone, PartialEq, Eq)]
pub struct ScramArgument {
    mechanism: ScramMechanism,
    name: String,
    salt: Option<Vec<u8>>,
    iterations: i32,
    secret: Secret,
}

impl std::fmt::Debug for ScramArgument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ScramArgument({:?} of {})", self.mechanism, self.name)
    }
}

/// Why an `--add-scram` argument is refused. None of these shows a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScramError {
    /// Not of the form `MECHANISM=[…]`.
    #[error("--add-scram: expected MECHANISM=[name=…,…], but {problem}")]
    Shape {
        /// What is missing.
        problem: &'static str,
    },
    /// A mechanism that does not exist.
    #[error("--add-scram: unknown mechanism `{found}`: expected SCRAM-SHA-256 or SCRAM-SHA-512")]
    Mechanism { found: String },
    /// A part that must be there.
    #[error("--add-scram: `{part}` is missing: {reason}")]
    Missing {
        part: &'static str,
        /// Why it is needed.
        reason: &'static str,
    },
    /// A part that cannot be read.
    #[error("--add-scram: `{part}` is not {expected}")]
    Unreadable {
        part: &'static str,
        /// What would be right.
        expected: &'static str,
    },
    /// A part that does not exist.
    #[error(
        "--add-scram: unknown part `{found}`: expected name, salt, iterations, password or saltedpassword"
    )]
    UnknownPart { found: String },
    /// Too few or too many iterations.
    #[error("--add-scram: {found} iterations for {name}: expected {} to {}", ITERATIONS.start(), ITERATIONS.end())]
    Iterations {
        /// Whose credential it is.
        name: String,
        found: i32,
    },
}

impl ScramArgument {
    /// Reads `SCRAM-SHA-256=[name=alice,password=…]`, with `salt="…"` (base64), `iterations=N`, and
    /// `saltedpassword="…"` (base64) instead of the password.
    pub fn parse(text: &str) -> Result<Self, ScramError> {
        let shape = |problem| ScramError::Shape { problem };
        let (mechanism, parts) = text
            .trim()
            .split_once('=')
            .ok_or(shape("there is no `=`"))?;
        let mechanism = ScramMechanism::named(mechanism).ok_or_else(|| ScramError::Mechanism {
            found: mechanism.to_owned(),
        })?;
        let parts = parts
            .strip_prefix('[')
            .ok_or(shape("no `[` follows the `=`"))?;
        let parts = parts
            .strip_suffix(']')
            .ok_or(shape("it does not end with `]`"))?;
        let mut parts = split(parts)?;
        let name = parts.remove("name").ok_or(ScramError::Missing {
            part: "name",
            reason: "a credential is someone's",
        })?;
        let salt = parts
            .remove("salt")
            .map(|salt| decode("salt", &salt))
            .transpose()?;
        let iterations = match parts.remove("iterations") {
            Some(text) => text.parse().map_err(|_| ScramError::Unreadable {
                part: "iterations",
                expected: "a whole number",
            })?,
            None => DEFAULT_ITERATIONS,
        };
        let secret = secret(&mut parts, salt.is_some())?;
        if let Some(found) = parts.into_keys().next() {
            return Err(ScramError::UnknownPart { found });
        }
        if !ITERATIONS.contains(&iterations) {
            return Err(ScramError::Iterations {
                name,
                found: iterations,
            });
        }
        Ok(ScramArgument {
            mechanism,
            name,
            salt,
            iterations,
            secret,
        })
    }

    /// The record that makes the credential; `random_salt` is used where the argument gives none.
    pub fn to_record(&self, random_salt: impl FnOnce() -> Vec<u8>) -> VersionedRecord {
        let salt = self.salt.clone().unwrap_or_else(random_salt);
        let (stored_key, server_key) = match self.mechanism {
            ScramMechanism::Sha256 => {
                let salted = self.salted(|password, out: &mut [u8; 32]| {
                    pbkdf2::pbkdf2_hmac::<Sha256>(
                        password,
                        &salt,
                        self.iterations.unsigned_abs(),
                        out,
                    );
                });
                let keyed = |text: &[u8]| {
                    let mac = Hmac::<Sha256>::new_from_slice(&salted)
                        .expect("HMAC takes keys of any length");
                    mac.chain_update(text).finalize().into_bytes()
                };
                (
                    Sha256::digest(keyed(CLIENT_KEY)).to_vec(),
                    keyed(SERVER_KEY).to_vec(),
                )
            }
            ScramMechanism::Sha512 => {
                let salted = self.salted(|password, out: &mut [u8; 64]| {
                    pbkdf2::pbkdf2_hmac::<Sha512>(
                        password,
                        &salt,
                        self.iterations.unsigned_abs(),
                        out,
                    );
                });
                let keyed = |text: &[u8]| {
                    let mac = Hmac::<Sha512>::new_from_slice(&salted)
                        .expect("HMAC takes keys of any length");
                    mac.chain_update(text).finalize().into_bytes()
                };
                (
                    Sha512::digest(keyed(CLIENT_KEY)).to_vec(),
                    keyed(SERVER_KEY).to_vec(),
                )
            }
        };
        VersionedRecord::new(
            0,
            UserScramCredentialRecord {
                name: self.name.clone(),
                mechanism: self.mechanism.code(),
                salt: Bytes::from(salt),
                stored_key: Bytes::from(stored_key),
                server_key: Bytes::from(server_key),
                iterations: self.iterations,
                ..UserScramCredentialRecord::default()
            },
        )
    }

    /// The salted password: given, or made from the password by `derive`.
    fn salted<const N: usize>(&self, derive: impl FnOnce(&[u8], &mut [u8; N])) -> Vec<u8> {
        match &self.secret {
            Secret::Salted(bytes) => bytes.clone(),
            Secret::Password(password) => {
                let mut out = [0; N];
                derive(password.as_bytes(), &mut out);
                out.to_vec()
            }
        }
    }
}

/// The parts by name; the last one of a name counts, and a pair of quotation marks around a value goes.
fn split(parts: &str) -> Result<BTreeMap<String, String>, ScramError> {
    let mut found = BTreeMap::new();
    // Java's split drops empty parts at the end, and keeps the others.
    for part in parts.trim_end_matches(',').split(',') {
        let (name, value) = part.split_once('=').ok_or(ScramError::Shape {
            problem: "a part of it has no `=`",
        })?;
        let quoted = value
            .strip_prefix('"')
            .and_then(|value| value.strip_suffix('"'));
        found.insert(name.to_owned(), quoted.unwrap_or(value).to_owned());
    }
    Ok(found)
}

fn secret(parts: &mut BTreeMap<String, String>, has_salt: bool) -> Result<Secret, ScramError> {
    let salted = parts.remove("saltedpassword");
    if let Some(password) = parts.remove("password") {
        if password.is_empty() {
            return Err(ScramError::Missing {
                part: "password",
                reason: "it is empty",
            });
        }
        return Ok(Secret::Password(password));
    }
    let reason = "one of password and saltedpassword must be given";
    let salted = salted.ok_or(ScramError::Missing {
        part: "password",
        reason,
    })?;
    if !has_salt {
        return Err(ScramError::Missing {
            part: "salt",
            reason: "saltedpassword was made with one",
        });
    }
    let bytes = decode("saltedpassword", &salted)?;
    if bytes.is_empty() {
        return Err(ScramError::Missing {
            part: "saltedpassword",
            reason: "it is empty",
        });
    }
    Ok(Secret::Salted(bytes))
}

fn decode(part: &'static str, text: &str) -> Result<Vec<u8>, ScramError> {
    BASE64.decode(text).map_err(|_| ScramError::Unreadable {
        part,
        expected: "base64",
    })
}

#[cfg(test)]
mod tests {
    use records::metadata::MetadataRecord;

    use super::*;

    fn record(argument: &str) -> UserScramCredentialRecord {
        let argument = ScramArgument::parse(argument).unwrap();
        match argument.to_record(|| b"drawn".to_vec()).record {
            MetadataRecord::UserScramCredential(record) => record,
            other => panic!("not a credential: {other:?}"),
        }
    }

    #[test]
    fn keys_are_those_that_kafka_made() {
        let record = record(
            "SCRAM-SHA-256=[name=alice,iterations=8192,salt=\"MWx2NHBkbnc0ZndxN25vdGN4bTB5Y2o=\",password=alice-secret]",
        );
        assert_eq!(
            (record.name.as_str(), record.mechanism, record.iterations),
            ("alice", 1, 8192)
        );
        assert_eq!(record.salt, &b"1lv4pdnw4fwq7notcxm0ycj"[..]);
        assert_eq!(
            BASE64.encode(&record.stored_key),
            "quQywk/e1All1ehW7TZ3eDNopcZHpXuF5cGIAgckZ1E="
        );
        assert_eq!(
            BASE64.encode(&record.server_key),
            "oCxR00R5stmNfqoA7zCsnTnlVKO1Ys0AXt5vJ4PquyQ="
        );
    }

    #[test]
    fn what_is_not_given_is_drawn_or_default() {
        let record = record("SCRAM-SHA-512=[name=bob,password=p]");
        assert_eq!(record.salt, &b"drawn"[..]);
        assert_eq!(
            (record.mechanism, record.iterations, record.stored_key.len()),
            (2, 4096, 64)
        );
    }

    #[test]
    fn refusals_name_the_part() {
        let refusal = |text: &str| ScramArgument::parse(text).unwrap_err().to_string();
        for (text, word) in [
            ("SCRAM-SHA-256", "there is no `=`"),
            ("SCRAM-SHA-1=[name=a,password=b]", "SCRAM-SHA-1"),
            ("SCRAM-SHA-256=name=a", "no `[`"),
            ("SCRAM-SHA-256=[name=a", "does not end"),
            ("SCRAM-SHA-256=[]", "has no `=`"),
            ("SCRAM-SHA-256=[password=b]", "`name` is missing"),
            ("SCRAM-SHA-256=[name=a]", "one of password"),
            ("SCRAM-SHA-256=[name=a,password=]", "empty"),
            (
                "SCRAM-SHA-256=[name=a,saltedpassword=YCE=]",
                "`salt` is missing",
            ),
            (
                "SCRAM-SHA-256=[name=a,password=b,iterations=x]",
                "a whole number",
            ),
            (
                "SCRAM-SHA-256=[name=a,password=b,iterations=4095]",
                "4095 iterations for a",
            ),
            (
                "SCRAM-SHA-256=[name=a,password=b,iterations=16385]",
                "4096 to 16384",
            ),
            (
                "SCRAM-SHA-256=[name=a,password=b,salt=*]",
                "`salt` is not base64",
            ),
            (
                "SCRAM-SHA-256=[name=a,password=b,colour=red]",
                "unknown part `colour`",
            ),
        ] {
            assert!(refusal(text).contains(word), "{text}: {}", refusal(text));
        }
    }

    #[test]
    fn secrets_are_not_shown() {
        let argument = ScramArgument::parse("SCRAM-SHA-256=[name=a,password=hidden]").unwrap();
        assert!(!format!("{argument:?}").contains("hidden"));
    }
}
