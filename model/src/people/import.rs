//! A file of people that is being prepared for import: what its columns are matched to, and what the import would do.

use serde::{Deserialize, Serialize};

use crate::{FieldError, Instant, MatchingId, TaskId, enum_words::words};

/// What a column is matched to that is not imported.
pub const LEFT_OUT: &str = "";
/// What a column is matched to that is kept under its own name.
pub const EXTRA: &str = "extra";

words! {
    /// What stands between the cells of a file.
    Separator {
        Comma = "comma", "Commas";
        Semicolon = "semicolon", "Semicolons";
        Tab = "tab", "Tabs";
    }
}

impl Separator {
    pub fn byte(self) -> u8 {
        match self {
            Separator::Comma => b',',
            Separator::Semicolon => b';',
            Separator::Tab => b'\t',
        }
    }
}

/// A file that was uploaded and is not imported yet, as lists show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreparedFile {
    pub id: TaskId,
    pub file: String,
    /// Lines below its header.
    pub rows: u64,
    /// In bytes.
    pub size: u64,
    pub uploaded: Instant,
    pub expires: Instant,
}

/// All that the page of one shows.
#[derive(Clone, Debug)]
pub struct PreparedImport {
    pub file: PreparedFile,
    /// Whether what was looked at is UTF-8.
    pub is_utf8: bool,
    pub separator: Separator,
    /// Whether somebody chose it, and it was not guessed.
    pub is_separator_chosen: bool,
    pub columns: Vec<MatchedColumn>,
    /// The fields that a column can be matched to, with what they are called.
    pub fields: Vec<(String, String)>,
    /// The program status of new people where no column says it, and those that it can be.
    pub new_status: Option<String>,
    pub statuses: Vec<(String, String)>,
    /// Which of several lines of a person counts, `latest` or `most`, and the place of the column that tells.
    pub keep: String,
    pub keep_by: Option<usize>,
    /// What is wrong with the matching: of the field of a column, or of the whole.
    pub wrong: Vec<FieldError>,
    pub saved: Vec<SavedMatching>,
    /// The one that the matching began with.
    pub start: Option<MatchingId>,
    pub counted: Option<ImportCount>,
    /// Whether it was counted with the matching as it is.
    pub is_current: bool,
}

/// A column of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchedColumn {
    pub name: String,
    pub samples: Vec<String>,
    /// The field that it is matched to; nothing of a column that cannot be.
    pub field: Option<String>,
    pub sure: Sure,
    pub why: String,
    /// Its values with what each means, where the field has a fixed list.
    pub values: Vec<ColumnValue>,
    /// What its values can mean.
    pub meanings: Vec<(String, String)>,
    /// How its dates are written, where it is matched to one.
    pub dates: Option<DateForm>,
}

/// A value of a column, and what it means; nothing while nobody has said it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnValue {
    pub text: String,
    pub means: String,
    /// The reason that goes with a status, where no column has it; empty while nobody has chosen it.
    pub reason: Option<String>,
    /// Whether what it means needs one.
    pub needs_reason: bool,
}

/// How a date is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DateForm {
    YearFirst,
    DayFirst,
    MonthFirst,
}

impl DateForm {
    pub const ALL: [DateForm; 3] = [DateForm::YearFirst, DateForm::DayFirst, DateForm::MonthFirst];

    /// In forms.
    pub fn name(self) -> &'static str {
        match self {
            DateForm::YearFirst => "year_first",
            DateForm::DayFirst => "day_first",
            DateForm::MonthFirst => "month_first",
        }
    }

    /// In words.
    pub fn label(self) -> &'static str {
        match self {
            DateForm::YearFirst => "Year first",
            DateForm::DayFirst => "Day first",
            DateForm::MonthFirst => "Month first",
        }
    }
}

/// How sure a guess is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sure {
    Sure,
    Likely,
    /// Somebody should look at it.
    Check,
    /// Nothing was guessed.
    No,
    /// Somebody chose it.
    Chosen,
}

/// A matching that was kept under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedMatching {
    pub id: MatchingId,
    pub name: String,
    pub used: Instant,
}

/// What an import would do, line by line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportCount {
    pub at: Instant,
    /// Of so many lines, from the first on.
    pub lines: u64,
    pub new: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub unreadable: u64,
    /// Another line of the same person counts.
    pub outranked: u64,
    /// A line before it is of the same person.
    #[serde(default)]
    pub repeated: u64,
    /// What follows a quote that is never closed.
    #[serde(default)]
    pub unread: Option<UnreadLines>,
    pub causes: Vec<UnreadableCause>,
    /// What people lose by empty cells, the most of them first.
    #[serde(default)]
    pub emptied: Vec<EmptiedField>,
    /// What is told of each line beside its name and school id.
    #[serde(default)]
    pub facts: Vec<LineFact>,
    /// The first lines.
    pub first: Vec<ReadLine>,
    /// The first of each sort.
    pub examples: Vec<ReadLine>,
}

impl ImportCount {
    /// How many people the import would write.
    pub fn people(&self) -> u64 {
        self.new + self.changed
    }
}

/// The end of a file that is within a quote: nobody knows which rows it would have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnreadLines {
    /// Where the quote opens.
    pub line: u64,
    /// How many lines of text follow that one.
    pub rest: u64,
}

/// Why lines are unreadable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnreadableCause {
    pub lines: u64,
    /// The first of them, and what is wrong with it.
    pub first: u64,
    pub reason: String,
    /// Whether it goes away when more is chosen on the page of the file.
    #[serde(default)]
    pub is_of_matching: bool,
    /// Which value it is, where nobody has said what it means; for the page.
    #[serde(skip)]
    pub unknown: Option<UnknownValue>,
}

/// A value of a file of which nobody has said what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownValue {
    pub column: String,
    /// What the column is matched to, in words.
    pub field: String,
    pub value: String,
}

/// A field that has something in Docket, and nothing in the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmptiedField {
    pub field: String,
    pub people: u64,
    /// The line of the first of them.
    pub first: u64,
}

words! {
    /// What is told of a line, where a column is matched to it: what others ask for first, and what is widest last.
    LineFact {
        ProgramStatus = "program_status", "Status";
        StudentType = "student_type", "Type";
        HomeCampus = "home_campus", "Campus";
        DeclaredMajor = "declared_major", "Major";
        StartTerm = "start_term", "Start term";
        PrimaryEmail = "primary_email", "Email";
    }
}

/// A line as Docket reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadLine {
    pub line: u64,
    /// Of whom it is; of a line that cannot be read, how it begins.
    pub name: String,
    pub school_id: String,
    /// In the order of what is told of each.
    #[serde(default)]
    pub facts: Vec<String>,
    pub what: LineOutcome,
    /// Why it cannot be read.
    pub detail: String,
    /// What changes of the person, what matters most first.
    #[serde(default)]
    pub changes: Vec<FieldChange>,
    /// How many more changes there are than are told.
    #[serde(default)]
    pub untold: u64,
}

/// What a line changes in a field; nothing stands for an empty one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldChange {
    pub field: String,
    pub before: String,
    pub after: String,
    /// Whether an empty cell takes away what was there.
    pub is_emptied: bool,
}

/// What an import would do with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineOutcome {
    New,
    Changed,
    Unchanged,
    Outranked,
    Repeated,
    Unreadable,
}

impl LineOutcome {
    pub const ALL: [LineOutcome; 6] = [
        LineOutcome::New,
        LineOutcome::Changed,
        LineOutcome::Unchanged,
        LineOutcome::Outranked,
        LineOutcome::Repeated,
        LineOutcome::Unreadable,
    ];

    /// In addresses.
    pub fn name(self) -> &'static str {
        match self {
            LineOutcome::New => "new",
            LineOutcome::Changed => "changed",
            LineOutcome::Unchanged => "unchanged",
            LineOutcome::Outranked => "outranked",
            LineOutcome::Repeated => "repeated",
            LineOutcome::Unreadable => "unreadable",
        }
    }
}
