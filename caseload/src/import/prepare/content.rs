//! What the values of a column look like, counted as they come.

use model::{ChangeReason, ProgramStatus, import::DateForm};

use crate::import::{
    prepare::names::plain,
    rows::{check, field::Field, field_source::DateOrder},
};

/// How many values there are, and how many of them are what.
#[derive(Clone, Debug, Default)]
pub struct Content {
    pub values: u64,
    pub emails: u64,
    pub year_first: u64,
    pub day_first: u64,
    pub month_first: u64,
    /// A date that has no sense with the month first, and one that has none with the day first.
    pub only_day_first: Option<String>,
    pub only_month_first: Option<String>,
}

impl Content {
    pub fn note(&mut self, cell: &str) {
        self.values += 1;
        if cell.contains('@') {
            self.emails += u64::from(check::email(cell).is_ok());
            return;
        }
        // What is no date is not tried to be read as one.
        if cell.len() > 10 || !cell.bytes().any(|byte| byte.is_ascii_digit()) {
            return;
        }
        self.year_first += u64::from(check::date(cell).is_ok());
        let ordered = |order| check::date_in(order, cell).is_ok();
        let (day, month) = (ordered(DateOrder::DayFirst), ordered(DateOrder::MonthFirst));
        self.day_first += u64::from(day);
        self.month_first += u64::from(month);
        match (day, month) {
            (true, false) if self.only_day_first.is_none() => self.only_day_first = Some(cell.to_owned()),
            (false, true) if self.only_month_first.is_none() => self.only_month_first = Some(cell.to_owned()),
            _ => {}
        }
    }

    /// Whether so many are nearly all.
    pub fn nearly_all(&self, of_them: u64) -> bool {
        self.values > 0 && of_them * 5 >= self.values * 4
    }

    /// How its dates seem to be written.
    pub fn date_form(&self) -> Option<DateForm> {
        if self.nearly_all(self.year_first) {
            return Some(DateForm::YearFirst);
        }
        let (day, month) = (self.nearly_all(self.day_first), self.nearly_all(self.month_first));
        match (day, month) {
            (true, true) if self.month_first > self.day_first => Some(DateForm::MonthFirst),
            (true, _) => Some(DateForm::DayFirst),
            (false, true) => Some(DateForm::MonthFirst),
            (false, false) => None,
        }
    }
}

/// What a value seems to mean, of a field that has a fixed list: its stored name.
pub fn meaning(field: Field, value: &str) -> Option<&'static str> {
    let value = plain(value);
    choices(field).into_iter().find(|(name, label)| plain(name) == value || plain(label) == value).map(|(name, _)| name)
}

/// The list of a field that has a fixed one: stored names, and what they are called.
pub fn choices(field: Field) -> Vec<(&'static str, &'static str)> {
    match field {
        Field::ProgramStatus => ProgramStatus::ALL.iter().map(|status| (status.name(), status.label())).collect(),
        Field::ChangeReason => ChangeReason::ALL.iter().map(|reason| (reason.name(), reason.label())).collect(),
        _ => Vec::new(),
    }
}
