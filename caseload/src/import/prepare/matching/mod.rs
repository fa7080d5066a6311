//! Which field each column of a file is matched to, as somebody chose it: by the names of the columns, so that it fits another file
//! with the same ones. It becomes a mapping, which is what an import is run with.

pub mod form;
pub mod saved;

use std::collections::{BTreeMap, BTreeSet};

use model::{
    FieldError, ProgramStatus,
    import::{DateForm, EXTRA, LEFT_OUT, Separator},
};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::import::{
    error::ImportError,
    prepare::{content, profile::Profile},
    rows::{
        check::quoted,
        field::Field,
        mapping::{Keep, Mapping},
    },
};

/// What columns are matched to, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Matching {
    /// The key of a field, [`EXTRA`] or [`LEFT_OUT`].
    pub columns: BTreeMap<String, String>,
    /// What the values of a column mean.
    pub meanings: BTreeMap<String, BTreeMap<String, String>>,
    /// The reasons that go with values of a column that mean a status that needs one.
    #[serde(default)]
    pub reasons: BTreeMap<String, BTreeMap<String, String>>,
    pub dates: BTreeMap<String, DateForm>,
    /// The program status of new people where no column says it.
    pub new_status: Option<ProgramStatus>,
    /// Which line stands for a person who has several; without it the first one does.
    #[serde(default)]
    pub keep: Option<KeptLine>,
}

/// Whether this is the stored name of a status that needs a reason.
fn needs_reason(status: &str) -> bool {
    ProgramStatus::ALL.iter().any(|known| known.name() == status && known.needs_reason())
}

/// Which of several lines of a person counts, by a column that need not be imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptLine {
    pub column: String,
    pub keep: Keep,
}

impl Matching {
    /// As it was guessed.
    pub fn guessed(profile: &Profile) -> Matching {
        let mut matching = Matching { new_status: Some(ProgramStatus::Active), ..Matching::default() };
        for (_, column) in profile.usable() {
            let guess = &column.guess;
            let field = guess.field.clone().unwrap_or_else(|| LEFT_OUT.to_owned());
            matching.columns.insert(column.name.clone(), field);
            matching.dates.extend(guess.dates.map(|dates| (column.name.clone(), dates)));
        }
        matching.complete(profile);
        matching
    }

    /// Of a file with other columns: those that both have.
    pub fn for_file(&self, profile: &Profile) -> Matching {
        let mut matching = Matching { new_status: self.new_status, ..Matching::default() };
        let has = |name: &str| profile.usable().any(|(_, column)| column.name == name);
        matching.keep = self.keep.clone().filter(|kept| has(&kept.column));
        for (_, column) in profile.usable() {
            let name = &column.name;
            let field = self.columns.get(name).cloned().unwrap_or_else(|| LEFT_OUT.to_owned());
            matching.columns.insert(name.clone(), field);
            matching.dates.extend(self.dates.get(name).map(|dates| (name.clone(), *dates)));
            matching.meanings.extend(self.meanings.get(name).map(|meanings| (name.clone(), meanings.clone())));
            matching.reasons.extend(self.reasons.get(name).map(|reasons| (name.clone(), reasons.clone())));
        }
        matching.complete(profile);
        matching
    }

    /// Whether it was made for a file with these columns.
    pub fn fits(&self, profile: &Profile) -> bool {
        let names: BTreeSet<&String> = profile.usable().map(|(_, column)| &column.name).collect();
        self.columns.keys().collect::<BTreeSet<_>>() == names
    }

    /// Adds what can be told by itself: what the values of a status mean, and that a date is written year first.
    pub fn complete(&mut self, profile: &Profile) {
        for (_, column) in profile.usable() {
            let Some(field) = self.field_of(&column.name) else { continue };
            if field == Field::BirthDate {
                self.dates.entry(column.name.clone()).or_insert(DateForm::YearFirst);
            }
            if content::choices(field).is_empty() {
                continue;
            }
            let known = self.meanings.entry(column.name.clone()).or_default();
            for value in &column.values {
                let meant = || content::meaning(field, value).unwrap_or_default().to_owned();
                known.entry(value.clone()).or_insert_with(meant);
            }
        }
    }

    /// The field of a column.
    pub fn field_of(&self, column: &str) -> Option<Field> {
        Field::named(self.columns.get(column)?)
    }

    /// The reason of a value that means a status that needs one, where no column has it; empty while nobody has chosen it.
    pub fn reason_of(&self, column: &str, value: &str) -> Option<&str> {
        let is_asked = self.asks_reason(column) && needs_reason(self.meanings.get(column)?.get(value)?);
        is_asked.then(|| self.reasons.get(column).and_then(|reasons| reasons.get(value)).map_or("", String::as_str))
    }

    /// Whether the reasons of the statuses in this column are chosen beside them: no column has them.
    pub fn asks_reason(&self, column: &str) -> bool {
        self.field_of(column) == Some(Field::ProgramStatus) && self.columns_of(Field::ChangeReason).next().is_none()
    }

    /// The columns that are this field.
    pub fn columns_of(&self, field: Field) -> impl Iterator<Item = &String> {
        self.columns.iter().filter(move |(_, key)| *key == field.name()).map(|(name, _)| name)
    }

    /// What is wrong with it for this file; `f3` is the field of the fourth column.
    pub fn wrong(&self, profile: &Profile) -> Vec<FieldError> {
        let mut wrong = Vec::new();
        for field in Field::ALL {
            let columns: Vec<(usize, &String)> = profile
                .usable()
                .filter(|(_, column)| self.field_of(&column.name) == Some(field))
                .map(|(place, column)| (place, &column.name))
                .collect();
            for (place, _) in columns.iter().skip(1) {
                let names: Vec<String> = columns.iter().map(|(_, name)| quoted(name)).collect();
                let why = format!("{} is matched to {}. Keep one of them.", field.label(), names.join(" and "));
                wrong.push(FieldError::new(&format!("f{place}"), "twice", why));
            }
            let is_needed = matches!(field, Field::SchoolId | Field::LastName);
            if is_needed && columns.is_empty() {
                let why = format!("No column is matched to {}. Choose the column that has it.", field.label());
                wrong.push(FieldError::new(field.name(), "required", why));
            }
        }
        let is_there = |kept: &KeptLine| profile.usable().any(|(_, column)| column.name == kept.column);
        if self.keep.as_ref().is_some_and(|kept| !is_there(kept)) {
            let why = "Choose the column to compare if a person has several lines.";
            wrong.push(FieldError::new("keepBy", "required", why));
        }
        if wrong.is_empty()
            && let Err(error) = self.mapping(profile)
        {
            wrong.push(FieldError::new("matching", "invalid", error.beside_its_field()));
        }
        wrong
    }

    /// The mapping, checked.
    pub fn mapping(&self, profile: &Profile) -> Result<Mapping, ImportError> {
        self.toml(profile)?.parse()
    }

    /// The mapping, as a file would have it.
    pub fn toml(&self, profile: &Profile) -> Result<String, ImportError> {
        let (mut person, mut extra) = (Table::new(), Table::new());
        for (_, column) in profile.usable() {
            let name = &column.name;
            match (self.columns.get(name).map(String::as_str), self.field_of(name)) {
                (Some(EXTRA), _) => drop(extra.insert(name.clone(), Value::String(name.clone()))),
                (_, Some(field)) => drop(person.insert(field.name().to_owned(), self.source(name, field))),
                (_, None) => {}
            }
        }
        let of_status = person.contains_key(Field::ProgramStatus.name()).then(|| self.reasons(profile)).flatten();
        if let Some(reasons) = of_status {
            person.insert(Field::ChangeReason.name().to_owned(), reasons);
        }
        let mut mapping = Table::new();
        // What a run guesses by itself is left to it.
        if profile.is_separator_chosen || profile.separator != Separator::Comma {
            mapping.insert("separator".to_owned(), Value::String(profile.separator.name().to_owned()));
        }
        if let Some(status) = self.new_status.filter(|_| !person.contains_key(Field::ProgramStatus.name())) {
            let status = (Field::ProgramStatus.name().to_owned(), Value::String(status.name().to_owned()));
            mapping.insert("new_people".to_owned(), Value::Table([status].into_iter().collect()));
        }
        mapping.insert("person".to_owned(), Value::Table(person));
        if !extra.is_empty() {
            mapping.insert("extra".to_owned(), Value::Table(extra));
        }
        if let Some(KeptLine { column, keep }) = &self.keep {
            let rule = [("column", column.as_str()), ("keep", keep.name())];
            let rule = rule.map(|(key, value)| (key.to_owned(), Value::String(value.to_owned())));
            let rule = Value::Table(rule.into_iter().collect());
            mapping.insert("collapse".to_owned(), Value::Array(vec![rule]));
        }
        toml::to_string(&mapping).map_err(|error| ImportError::Mapping(error.to_string()))
    }

    /// The reasons that were chosen for values of the status, as the source of the reason: the same column.
    fn reasons(&self, profile: &Profile) -> Option<Value> {
        let mut columns =
            profile.usable().filter(|(_, column)| self.field_of(&column.name) == Some(Field::ProgramStatus));
        let (_, column) = columns.next()?;
        let chosen = self.meanings.get(&column.name)?.keys().filter_map(|value| {
            let reason = self.reason_of(&column.name, value).filter(|reason| !reason.is_empty())?;
            Some((value.clone(), Value::String(reason.to_owned())))
        });
        let values: Table = chosen.collect();
        let source = [
            ("column", Value::String(column.name.clone())),
            ("values", Value::Table(values.clone())),
            ("otherwise", Value::String(String::new())),
        ];
        let source = source.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        (!values.is_empty()).then_some(Value::Table(source))
    }

    /// A column as the source of a field.
    fn source(&self, column: &str, field: Field) -> Value {
        let name = ("column".to_owned(), Value::String(column.to_owned()));
        let mut source: Table = [name].into_iter().collect();
        match self.dates.get(column) {
            Some(form @ (DateForm::DayFirst | DateForm::MonthFirst)) if field == Field::BirthDate => {
                source.insert("dates".to_owned(), Value::String(form.name().to_owned()));
            }
            _ => {}
        }
        let choices = content::choices(field);
        if !choices.is_empty() {
            let mut values: Table = choices
                .iter()
                .flat_map(|(name, label)| {
                    [*name, *label].map(|text| (text.to_owned(), Value::String((*name).to_owned())))
                })
                .collect();
            for (text, means) in self.meanings.get(column).into_iter().flatten() {
                match means.is_empty() {
                    true => drop(values.remove(text)),
                    false => drop(values.insert(text.clone(), Value::String(means.clone()))),
                }
            }
            // Most people have no reason.
            if field == Field::ChangeReason {
                values.insert(String::new(), Value::String(String::new()));
            }
            source.insert("values".to_owned(), Value::Table(values));
        }
        Value::Table(source)
    }
}
