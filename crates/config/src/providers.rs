//! Config providers: values that stand elsewhere, `${PROVIDER:PATH:KEY}` (4.4:clients/…/common/config/AbstractConfig.java,
//! ConfigTransformer.java). Kafka's own three are known; what they read is the caller's to give.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use disk::path;

use crate::ConfigError;
use crate::properties::Properties;

/// Where the values of providers come from.
pub trait Sources {
    /// The content of a regular file; `None` if it cannot be read.
    fn file(&mut self, path: &str) -> Option<Vec<u8>>;
    /// A variable of the environment.
    fn variable(&self, name: &str) -> Option<String>;
}

/// Sources where nothing is.
pub struct NoSources;

impl Sources for NoSources {
    fn file(&mut self, _path: &str) -> Option<Vec<u8>> {
        None
    }

    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
}

/// All that the providers of a configuration may give, in bytes: 16 MiB; a file that several values name counts each time.
pub const MOST_PROVIDED_BYTES: usize = 16 << 20;

/// Sources that end with an error where they give too much.
struct Limited<'a> {
    sources: &'a mut dyn Sources,
    bytes: usize,
}

impl Limited<'_> {
    fn file(&mut self, path: &str) -> Result<Option<Vec<u8>>, ConfigError> {
        let content = self.sources.file(path);
        self.count(content.as_ref().map_or(0, Vec::len))?;
        Ok(content)
    }

    fn variable(&mut self, name: &str) -> Result<Option<String>, ConfigError> {
        let value = self.sources.variable(name);
        self.count(value.as_ref().map_or(0, String::len))?;
        Ok(value)
    }

    fn count(&mut self, bytes: usize) -> Result<(), ConfigError> {
        self.bytes += bytes;
        if self.bytes <= MOST_PROVIDED_BYTES {
            return Ok(());
        }
        Err(ConfigError::TooMuch {
            what: format!("config providers give {} bytes", self.bytes),
            most: MOST_PROVIDED_BYTES,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Directory,
    Environment,
}

struct Provider {
    kind: Kind,
    /// Only files below these may be read; `None`: any.
    allowed_paths: Option<Vec<String>>,
}

const PROVIDERS: &str = "config.providers";

/// The lines of a configuration with the values of its providers in them; what no provider has stays as it is written.
pub fn resolve<'a>(
    lines: impl IntoIterator<Item = (&'a str, &'a str)>,
    sources: &mut dyn Sources,
) -> Result<BTreeMap<String, String>, ConfigError> {
    let lines = lines
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value.to_owned()));
    let mut lines: BTreeMap<String, String> = lines.collect();
    let providers = providers(&lines)?;
    if providers.is_empty() {
        return Ok(lines);
    }
    let mut sources = Limited { sources, bytes: 0 };
    for value in lines.values_mut() {
        *value = resolved(value, &providers, &mut sources)?;
    }
    Ok(lines)
}

fn providers(lines: &BTreeMap<String, String>) -> Result<BTreeMap<String, Provider>, ConfigError> {
    let mut providers = BTreeMap::new();
    let names = lines.get(PROVIDERS).map_or("", String::as_str);
    for name in names.split(',').filter(|name| !name.is_empty()) {
        let key = format!("{PROVIDERS}.{name}.class");
        let Some(class) = lines.get(&key) else {
            continue;
        };
        let own = class.strip_prefix("org.apache.kafka.common.config.provider.");
        let kind = match own {
            Some("FileConfigProvider") => Kind::File,
            Some("DirectoryConfigProvider") => Kind::Directory,
            Some("EnvVarConfigProvider") => Kind::Environment,
            _ => {
                let problem = format!("{key}={class} is no config provider of Kafka's own");
                return Err(ConfigError::Provider { problem });
            }
        };
        let allowed = lines.get(&format!("{PROVIDERS}.{name}.param.allowed.paths"));
        let allowed_paths = allowed
            .filter(|paths| !paths.is_empty())
            .map(|paths| paths.split(',').map(str::to_owned).collect::<Vec<_>>());
        let relative = allowed_paths
            .iter()
            .flatten()
            .find(|path| !path.starts_with('/'));
        if let Some(path) = relative {
            let problem = format!("{path} of config provider {name} is not an absolute path");
            return Err(ConfigError::Provider { problem });
        }
        let provider = Provider {
            kind,
            allowed_paths,
        };
        providers.insert(name.to_owned(), provider);
    }
    Ok(providers)
}

/// A value with each `${PROVIDER:PATH:KEY}` or `${PROVIDER:KEY}` replaced.
fn resolved(
    value: &str,
    providers: &BTreeMap<String, Provider>,
    sources: &mut Limited,
) -> Result<String, ConfigError> {
    let mut result = String::new();
    let mut rest = value;
    while let Some(start) = rest.find("${") {
        let (before, from) = rest.split_at(start);
        result.push_str(before);
        let Some((reference, after)) = from[2..].split_once('}') else {
            rest = from;
            break;
        };
        let whole = &from[..reference.len() + 3];
        rest = after;
        let Some((name, place)) = reference.split_once(':') else {
            result.push_str(whole);
            continue;
        };
        let (path, key) = place.split_once(':').unwrap_or(("", place));
        let found = match providers.get(name) {
            Some(provider) => provider.get(path, key, sources)?,
            None => None,
        };
        result.push_str(found.as_deref().unwrap_or(whole));
    }
    result.push_str(rest);
    Ok(result)
}

impl Provider {
    fn get(
        &self,
        path: &str,
        key: &str,
        sources: &mut Limited,
    ) -> Result<Option<String>, ConfigError> {
        if self.kind == Kind::Environment {
            if path.is_empty() {
                return sources.variable(key);
            }
            let problem = format!("a config provider of variables has no path: {path}");
            return Err(ConfigError::Provider { problem });
        }
        if path.is_empty() || !self.allows(path) {
            return Ok(None);
        }
        if self.kind == Kind::Directory {
            let content = sources.file(&format!("{path}/{key}"))?;
            return Ok(content.map(|content| String::from_utf8_lossy(&content).into_owned()));
        }
        let unreadable = || ConfigError::Provider {
            problem: format!("a config provider cannot read {path}"),
        };
        let content = sources
            .file(path)?
            .and_then(|content| String::from_utf8(content).ok());
        // Properties are of one byte a letter; others are written as escapes.
        let mut escaped = String::new();
        for letter in content.ok_or_else(unreadable)?.encode_utf16() {
            match u8::try_from(letter) {
                Ok(byte) if byte.is_ascii() => escaped.push(char::from(byte)),
                _ => {
                    let _ = write!(escaped, "\\u{letter:04x}");
                }
            }
        }
        let properties = Properties::parse(path, &escaped.into()).map_err(|_| unreadable())?;
        Ok(properties.get(key).map(str::to_owned))
    }

    fn allows(&self, path: &str) -> bool {
        let Some(allowed) = &self.allowed_paths else {
            return true;
        };
        let path = path::without_dots(path);
        path.starts_with('/')
            && allowed.iter().any(|allowed| {
                let rest = path.strip_prefix(path::without_dots(allowed).trim_end_matches('/'));
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed;

    impl Sources for Fixed {
        fn file(&mut self, path: &str) -> Option<Vec<u8>> {
            match path {
                "/s" => Some("id=5\nname=\u{e4}\n".as_bytes().to_vec()),
                "/d/id" => Some(b"7".to_vec()),
                _ => None,
            }
        }

        fn variable(&self, name: &str) -> Option<String> {
            (name == "ID").then(|| "9".to_owned())
        }
    }

    fn value(text: &str) -> Result<String, ConfigError> {
        let class = "org.apache.kafka.common.config.provider";
        let (file, directory, env) = (
            format!("{class}.FileConfigProvider"),
            format!("{class}.DirectoryConfigProvider"),
            format!("{class}.EnvVarConfigProvider"),
        );
        let lines = [
            ("config.providers", "file,directory,env,allowed"),
            ("config.providers.file.class", file.as_str()),
            ("config.providers.directory.class", directory.as_str()),
            ("config.providers.env.class", env.as_str()),
            ("config.providers.allowed.class", file.as_str()),
            ("config.providers.allowed.param.allowed.paths", "/d,/e"),
            ("x", text),
        ];
        resolve(lines, &mut Fixed).map(|lines| lines["x"].clone())
    }

    #[test]
    fn references_are_replaced() {
        for (text, expected) in [
            ("${file:/s:id}", "5"),
            ("a${file:/s:name}b${env:ID}", "a\u{e4}b9"),
            ("${file:/s:none}", "${file:/s:none}"),
            ("${file:id}", "${file:id}"),
            ("${directory:/d:id}", "7"),
            ("${directory:/d:none}", "${directory:/d:none}"),
            ("${allowed:/s:id}", "${allowed:/s:id}"),
            ("${vault:a:b} ${x} ${", "${vault:a:b} ${x} ${"),
        ] {
            assert_eq!(value(text).as_deref(), Ok(expected), "{text}");
        }
        assert!(value("${file:/nowhere:id}").is_err());
        assert!(value("${env:a:ID}").is_err());
    }

    #[test]
    fn providers_give_so_much_and_no_more() {
        struct Large;
        impl Sources for Large {
            fn file(&mut self, _path: &str) -> Option<Vec<u8>> {
                Some(vec![b'#'; 1 << 20])
            }

            fn variable(&self, _name: &str) -> Option<String> {
                None
            }
        }
        let of = |times: usize| {
            let class = "org.apache.kafka.common.config.provider.FileConfigProvider";
            let value = "${p:/f:k}".repeat(times);
            let lines = [
                ("config.providers", "p"),
                ("config.providers.p.class", class),
                ("x", &value),
            ];
            resolve(lines, &mut Large)
        };
        assert!(of(16).is_ok());
        assert!(matches!(of(17), Err(ConfigError::TooMuch { .. })));
    }

    #[test]
    fn without_providers_nothing_is_replaced() {
        let lines = resolve([("x", "${env:ID}")], &mut Fixed).unwrap();
        assert_eq!(lines["x"], "${env:ID}");
    }
}
