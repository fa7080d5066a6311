//! How a member of staff likes Docket to look and behave.

use serde::{Deserialize, Serialize};

use crate::{Instant, ListLook, PersonColumn, RowHeight, enum_words::words};

words! {
    /// Light or dark.
    Theme {
        Auto = "auto", "Match system";
        Light = "light", "Light";
        Dark = "dark", "Dark";
    }
}

words! {
    /// How a day is written. The first has the name of the month, so nobody takes the month for the day.
    DateFormat {
        Named = "named", "31 Aug 2026";
        Dots = "dots", "31.08.2026";
        DayFirst = "day-first", "31/08/2026";
        MonthFirst = "month-first", "08/31/2026";
        Iso = "iso", "2026-08-31";
    }
}

impl DateFormat {
    /// The one of this name, or that with the name of the month.
    pub fn named(name: &str) -> DateFormat {
        DateFormat::ALL.iter().copied().find(|format| format.name() == name).unwrap_or(DateFormat::Named)
    }

    /// A day; `month` is from 1 to 12.
    pub fn day(self, year: i32, month: u32, day: u32) -> String {
        match self {
            DateFormat::Named => {
                let name = MONTHS.get(month.saturating_sub(1) as usize).copied().unwrap_or_default();
                format!("{day} {name} {year}")
            }
            DateFormat::Dots => format!("{day:02}.{month:02}.{year}"),
            DateFormat::DayFirst => format!("{day:02}/{month:02}/{year}"),
            DateFormat::MonthFirst => format!("{month:02}/{day:02}/{year}"),
            DateFormat::Iso => format!("{year}-{month:02}-{day:02}"),
        }
    }
}

words! {
    /// How the digits of a number are grouped.
    NumberFormat {
        Comma = "comma", "1,234";
        Dot = "dot", "1.234";
        Space = "space", "1\u{202f}234";
        Apostrophe = "apostrophe", "1’234";
    }
}

impl NumberFormat {
    /// The one of this name, or that with commas.
    pub fn named(name: &str) -> NumberFormat {
        NumberFormat::ALL.iter().copied().find(|format| format.name() == name).unwrap_or(NumberFormat::Comma)
    }

    /// What stands between two groups. The space does not break a number in two.
    pub fn separator(self) -> char {
        match self {
            NumberFormat::Comma => ',',
            NumberFormat::Dot => '.',
            NumberFormat::Space => '\u{202f}',
            NumberFormat::Apostrophe => '’',
        }
    }
}

/// The months as dates name them.
pub const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// What somebody has chosen at `/settings`, as it is stored with the account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Preferences {
    pub theme: Theme,
    /// A name of the IANA database, such as `Europe/Zurich`; the device's own zone when absent.
    pub time_zone: Option<String>,
    pub dates: DateFormat,
    pub numbers: NumberFormat,
    /// Whether single keys do something.
    pub shortcuts: bool,
    /// Whether pages change by themselves.
    pub live: bool,
    /// Whether a mail says that a task has ended which ran long, or whose owner has left.
    pub notify: bool,
    /// The columns of the people list; empty for the usual ones.
    pub columns: Vec<PersonColumn>,
    pub row_height: RowHeight,
    /// Until when they have seen which tasks of theirs ended.
    pub notices_read: Option<Instant>,
}

impl Preferences {
    /// The columns of the people list and the height of its rows: as its address says, or as they like them.
    pub fn list_look(&self, asked: &ListLook) -> (Vec<PersonColumn>, RowHeight) {
        let liked = if self.columns.is_empty() { PersonColumn::USUAL } else { &self.columns };
        let columns = asked.columns.clone().unwrap_or_else(|| liked.to_vec());
        (columns, asked.row_height.unwrap_or(self.row_height))
    }
}

impl Default for Preferences {
    fn default() -> Self {
        Preferences {
            theme: Theme::Auto,
            time_zone: None,
            dates: DateFormat::Named,
            numbers: NumberFormat::Comma,
            shortcuts: true,
            live: true,
            notify: false,
            columns: Vec::new(),
            row_height: RowHeight::Standard,
            notices_read: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_written_as_its_format_is_called() {
        for format in DateFormat::ALL {
            assert_eq!(format.day(2026, 8, 31), format.label());
            assert_eq!(DateFormat::named(format.name()), *format);
        }
        assert_eq!(DateFormat::named("gone"), DateFormat::Named);
    }

    #[test]
    fn a_number_is_written_as_its_format_is_called() {
        for format in NumberFormat::ALL {
            assert_eq!(crate::grouped_by(1_234, format.separator()), format.label());
            assert_eq!(NumberFormat::named(format.name()), *format);
        }
        assert_eq!(NumberFormat::named("gone"), NumberFormat::Comma);
    }

    #[test]
    fn an_account_of_before_keeps_its_commas() {
        let kept: Preferences = serde_json::from_str(r#"{"theme":"dark","dates":"dots"}"#).unwrap();
        assert_eq!((kept.dates, kept.numbers), (DateFormat::Dots, NumberFormat::Comma));
    }
}
