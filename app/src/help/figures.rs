//! The numbers in the pages of help: those that a setting decides, and those that the code does. A text has their names in braces.

use std::time::Duration;

use model::{
    selection::MAX_PICKED,
    submission::{WITHOUT_NUMBER, WITHOUT_PREVIEW},
};

/// Their values, by name.
pub struct HelpFigures(Vec<(&'static str, String)>);

/// What settings decide of it.
pub struct HelpSettings {
    /// How long an email is held.
    pub hold: Duration,
    /// The most people of one email.
    pub mail_limit: Option<u64>,
    /// How long finished tasks are kept.
    pub retention: Option<Duration>,
    /// How long a file can be downloaded.
    pub file_kept: Duration,
    pub max_failures: u32,
    pub views: u32,
}

/// A time for which something is kept: `90 days`.
pub fn kept_for(kept: Duration, span: fn(u64) -> String, grouped: fn(u64) -> String) -> String {
    match kept.as_secs() {
        seconds if seconds % 86_400 == 0 && seconds > 86_400 => format!("{} days", grouped(seconds / 86_400)),
        seconds => span(seconds),
    }
}

/// A short time as a sentence has it: `60 seconds`, `5 minutes`.
fn in_words(seconds: u64, span: fn(u64) -> String) -> String {
    match seconds {
        1 => "1 second".to_owned(),
        0..120 => format!("{seconds} seconds"),
        120..7_200 if seconds.is_multiple_of(60) => format!("{} minutes", seconds / 60),
        _ => span(seconds),
    }
}

impl HelpFigures {
    pub fn new(settings: &HelpSettings, span: fn(u64) -> String, grouped: fn(u64) -> String) -> HelpFigures {
        let kept = match settings.retention {
            None => "for ever".to_owned(),
            Some(kept) => format!("for {}", kept_for(kept, span, grouped)),
        };
        HelpFigures(vec![
            ("hold", in_words(settings.hold.as_secs(), span)),
            (
                "reach",
                settings.mail_limit.map_or_else(
                    || "any number of people".to_owned(),
                    |most| format!("up to {} people", grouped(most)),
                ),
            ),
            ("kept", kept),
            ("file", kept_for(settings.file_kept, span, grouped)),
            ("failures", settings.max_failures.to_string()),
            ("views", settings.views.to_string()),
            ("few", WITHOUT_PREVIEW.to_string()),
            ("many", grouped(WITHOUT_NUMBER)),
            ("picked", grouped(MAX_PICKED as u64)),
        ])
    }

    /// The text with them.
    pub fn fill(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::help::{hint::Hint, topic::Topic};

    fn figures(retention: Option<Duration>) -> HelpFigures {
        let hold = Duration::from_secs(60);
        let file_kept = Duration::from_secs(7 * 86_400);
        let settings = HelpSettings { hold, mail_limit: Some(500), retention, file_kept, max_failures: 5, views: 50 };
        HelpFigures::new(&settings, |seconds| format!("{seconds} s"), model::grouped)
    }

    #[test]
    fn no_text_has_a_name_that_is_not_filled_in() {
        let figures = figures(None);
        let texts = Topic::ALL.iter().flat_map(|topic| topic.article().words());
        let hints = Hint::ALL.iter().map(|hint| hint.text());
        let mut filled = 0;
        for text in texts.chain(hints) {
            let shown = figures.fill(text);
            // An email writes its own fields in the same way.
            let rest = shown.replace("{first name | there}", "");
            assert!(!rest.contains(['{', '}']), "{shown}");
            filled += usize::from(shown != text);
        }
        assert!(filled > 10, "{filled}");
    }

    #[test]
    fn days_are_said_as_days() {
        let kept = |days: u64| figures(Some(Duration::from_secs(86_400 * days))).fill("kept {kept}");
        assert_eq!(kept(90), "kept for 90 days");
        assert_eq!(figures(None).fill("kept {kept}, {reach}"), "kept for ever, up to 500 people");
    }
}
