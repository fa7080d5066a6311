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

/// What somebody has chosen at `/settings`, as it is stored with the account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Preferences {
    pub theme: Theme,
    /// A name of the IANA database, such as `Europe/Zurich`; the device's own zone when absent.
    pub time_zone: Option<String>,
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
            shortcuts: true,
            live: true,
            notify: false,
            columns: Vec::new(),
            row_height: RowHeight::Standard,
            notices_read: None,
        }
    }
}
