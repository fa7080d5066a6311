//! Where settings come from: a file, then the environment over it, then defaults below both. Every value that is asked for
//! is noted with its origin; whatever was given and never asked for is an unknown key.

use std::{collections::BTreeMap, fmt, path::Path, time::Duration};

use super::value::{boolean, without_password};

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingOrigin {
    Default,
    /// The file, by its path.
    File(String),
    /// The environment variable, by its name.
    Environment(String),
}

impl fmt::Display for SettingOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingOrigin::Default => f.write_str("default"),
            SettingOrigin::File(path) => write!(f, "file {path}"),
            SettingOrigin::Environment(name) => write!(f, "environment {name}"),
        }
    }
}

/// A setting as `docket config` prints it; secrets are already hidden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownSetting {
    pub key: String,
    pub value: String,
    pub origin: SettingOrigin,
}

/// What is wrong with the settings, for whoever wrote them.
#[derive(Debug, thiserror::Error)]
pub enum Wrong {
    #[error("{path}: {why}")]
    File { path: String, why: String },
    #[error("{key} ({origin}): there is no such setting")]
    Unknown { key: String, origin: SettingOrigin },
    #[error("{key} = {value:?} ({origin}): {why}")]
    Value { key: String, value: String, origin: SettingOrigin, why: String },
    #[error("{key}: {needed}; or {setting} = true, if nobody else can listen on the way")]
    Plaintext { key: &'static str, setting: &'static str, needed: &'static str },
    #[error("{key}: it is needed when {because}")]
    Missing { key: &'static str, because: &'static str },
    #[error("{low} is longer than {high}: it may be at most as long")]
    Order { low: &'static str, high: &'static str },
    #[error("{what}: at most {most} can be given")]
    TooMany { what: &'static str, most: usize },
    #[error("{what}: it has to be from {low} to {high}")]
    Bounds { what: &'static str, low: &'static str, high: &'static str },
}

/// The values that were given and not yet asked for, and those that were.
pub struct Sources {
    given: BTreeMap<String, (String, SettingOrigin)>,
    shown: Vec<ShownSetting>,
    /// The settings that there is one of for each kind, or for each of what has a name: `queue.per_kind.KIND`.
    families: Vec<String>,
}

impl Sources {
    /// Reads `file`, or `docket.toml` in the working folder if it exists, then the variables that begin with `DOCKET__`.
    pub fn open(file: Option<&Path>, environment: Vec<(String, String)>) -> Result<Sources, Wrong> {
        let path = file.unwrap_or(Path::new("docket.toml"));
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && file.is_none() => String::new(),
            Err(error) => return Err(Wrong::File { path: path.display().to_string(), why: error.to_string() }),
        };
        Sources::new(&path.display().to_string(), &text, environment)
    }

    /// The same from a file's text.
    pub fn new(path: &str, text: &str, environment: Vec<(String, String)>) -> Result<Sources, Wrong> {
        let wrong = |why: String| Wrong::File { path: path.to_owned(), why };
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| wrong(error.to_string()))?;
        let mut given = BTreeMap::new();
        flatten("", table, &mut |key, value| {
            given.insert(key, (value, SettingOrigin::File(path.to_owned())));
        })
        .map_err(|key| wrong(format!("{key}: a text, a number, true or false is needed")))?;
        for (name, value) in environment {
            if let Some(key) = name.strip_prefix("DOCKET__") {
                given.insert(key.to_lowercase().replace("__", "."), (value, SettingOrigin::Environment(name)));
            }
        }
        Ok(Sources { given, shown: Vec::new(), families: Vec::new() })
    }

    /// One setting.
    pub fn one<T>(&mut self, key: &str, default: &str, read: fn(&str) -> Result<T, String>) -> Result<T, Wrong> {
        self.take(key, default, read, str::to_owned)
    }

    /// One setting whose password stays out of every message.
    pub fn secret<T>(&mut self, key: &str, default: &str, read: fn(&str) -> Result<T, String>) -> Result<T, Wrong> {
        self.take(key, default, read, without_password)
    }

    /// One setting that is shown to nobody, and empty unless given.
    pub fn hidden<T>(&mut self, key: &str, read: fn(&str) -> Result<T, String>) -> Result<T, Wrong> {
        self.take(key, "", read, |text| if text.is_empty() { String::new() } else { "…".to_owned() })
    }

    /// The settings under `prefix`, one for each kind; environment variables write a kind's dashes as underscores.
    pub fn each<T>(
        &mut self,
        prefix: &'static str,
        read: fn(&str) -> Result<T, String>,
    ) -> Result<BTreeMap<String, T>, Wrong> {
        self.family(format!("{prefix}.KIND"));
        let dotted = format!("{prefix}.");
        let keys: Vec<String> = self.given.keys().filter(|key| key.starts_with(&dotted)).cloned().collect();
        let mut values = BTreeMap::new();
        // The environment last, so that it wins where both name a kind.
        let (outside, file): (Vec<_>, Vec<_>) =
            keys.into_iter().partition(|key| matches!(self.given.get(key), Some((_, SettingOrigin::Environment(_)))));
        for key in file.into_iter().chain(outside) {
            let kind = key[dotted.len()..].replace('_', "-");
            values.insert(kind, self.take(&key, "", read, str::to_owned)?);
        }
        Ok(values)
    }

    /// Notes a setting that there is one of for each kind or name.
    pub(super) fn family(&mut self, key: String) {
        self.families.push(key);
    }

    /// The names that settings under `prefix` are given for.
    pub(super) fn names(&self, prefix: &str) -> Vec<String> {
        let named = |key: &String| Some(key.strip_prefix(prefix)?.strip_prefix('.')?.split_once('.')?.0.to_owned());
        let names: std::collections::BTreeSet<String> = self.given.keys().filter_map(named).collect();
        names.into_iter().collect()
    }

    /// Where a setting that was asked for came from.
    pub(super) fn origin(&self, key: &str) -> SettingOrigin {
        let shown = self.shown.iter().rev().find(|shown| shown.key == key);
        shown.map_or(SettingOrigin::Default, |shown| shown.origin.clone())
    }

    /// Refuses an address that needs what it does not have, unless the setting beside it allows that. Whether it does.
    pub fn protected(
        &mut self,
        (key, setting): (&'static str, &'static str),
        needed: Option<&'static str>,
    ) -> Result<bool, Wrong> {
        match (needed, self.one(setting, "false", boolean)?) {
            (Some(needed), false) => Err(Wrong::Plaintext { key, setting, needed }),
            (needed, _) => Ok(needed.is_some()),
        }
    }

    /// Refuses a pair of settings whose first is longer than the second.
    pub fn ordered(&self, low: &'static str, a: Duration, high: &'static str, b: Duration) -> Result<(), Wrong> {
        if a > b { Err(Wrong::Order { low, high }) } else { Ok(()) }
    }

    /// Refuses a setting that was left at its default although it is needed.
    pub fn given(&self, key: &'static str, because: &'static str) -> Result<(), Wrong> {
        match self.shown.iter().any(|shown| shown.key == key && shown.origin != SettingOrigin::Default) {
            true => Ok(()),
            false => Err(Wrong::Missing { key, because }),
        }
    }

    /// What was asked for, one by one and by kind; an error if more was given.
    pub fn finish(self) -> Result<(Vec<ShownSetting>, Vec<String>), Wrong> {
        match self.given.into_iter().next() {
            Some((key, (_, origin))) => Err(Wrong::Unknown { key, origin }),
            None => Ok((self.shown, self.families)),
        }
    }

    fn take<T>(
        &mut self,
        key: &str,
        default: &str,
        read: fn(&str) -> Result<T, String>,
        show: fn(&str) -> String,
    ) -> Result<T, Wrong> {
        let (text, origin) = self.given.remove(key).unwrap_or((default.to_owned(), SettingOrigin::Default));
        let value = show(&text);
        let result = read(&text);
        self.shown.push(ShownSetting { key: key.to_owned(), value: value.clone(), origin: origin.clone() });
        result.map_err(|why| Wrong::Value { key: key.to_owned(), value, origin, why })
    }
}

/// Walks a table down to its scalars and lists of texts; another list, or a date, is an error with its key.
fn flatten(prefix: &str, table: toml::Table, found: &mut impl FnMut(String, String)) -> Result<(), String> {
    for (name, value) in table {
        let key = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
        match value {
            toml::Value::Table(table) => flatten(&key, table, found)?,
            toml::Value::String(text) => found(key, text),
            toml::Value::Integer(number) => found(key, number.to_string()),
            toml::Value::Boolean(flag) => found(key, flag.to_string()),
            toml::Value::Array(texts) if texts.iter().all(toml::Value::is_str) => {
                found(key, texts.iter().filter_map(toml::Value::as_str).collect::<Vec<_>>().join(", "));
            }
            toml::Value::Float(_) | toml::Value::Array(_) | toml::Value::Datetime(_) => return Err(key),
        }
    }
    Ok(())
}
