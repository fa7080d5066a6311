//! Searching the pages of help.

use super::topic::{HelpGroup, Topic};

/// The longest text that is searched for, in bytes.
pub const LONGEST: usize = 200;

/// A page in which all words were found, and where.
#[derive(Debug, PartialEq, Eq)]
pub struct Passage {
    pub topic: Topic,
    /// The first text of it that has most of the words.
    pub text: &'static str,
}

/// The pages with all of these words, those with them in the title first.
pub fn search(words: &str, administrator: bool) -> Vec<Passage> {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let topics = HelpGroup::shown(administrator).flat_map(HelpGroup::topics);
    let mut found: Vec<(usize, Passage)> = topics.filter_map(|topic| passage(topic, &words)).collect();
    found.sort_by_key(|(missing, _)| *missing);
    found.into_iter().map(|(_, passage)| passage).collect()
}

/// The passage, and how many of the words are not in the title.
fn passage(topic: Topic, words: &[String]) -> Option<(usize, Passage)> {
    let has = |text: &str| {
        let text = text.to_lowercase();
        words.iter().filter(|word| text.contains(word.as_str())).count()
    };
    let article = topic.article();
    let texts = article.words();
    let all = format!("{} {}", topic.title(), texts.join(" "));
    if has(&all) < words.len() {
        return None;
    }
    // The first of those that have as many: the best of several is the last one for `max_by_key`.
    let text = texts.iter().rev().copied().max_by_key(|text| has(text)).filter(|text| has(text) > 0);
    Some((words.len() - has(topic.title()), Passage { topic, text: text.unwrap_or(article.lead) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_found_by_its_title_first() {
        let found = search("UNDO  task", false);
        assert_eq!(found.first().map(|found| found.topic), Some(Topic::UndoTask));
        assert!(found.len() > 1, "others tell of it, too");
    }

    #[test]
    fn what_was_found_is_shown() {
        let found = search("opted out", false);
        assert!(found.iter().any(|found| found.topic == Topic::Email && found.text.contains("opted out")), "{found:?}");
    }

    #[test]
    fn nobody_finds_what_is_not_for_them() {
        assert!(search("audit trail", true).iter().any(|found| found.topic == Topic::AuditTrail));
        assert!(search("audit trail", false).iter().all(|found| found.topic.group() != HelpGroup::Administration));
        assert!(search("  ", true).is_empty());
        assert!(search("xylophone", true).is_empty());
    }
}
