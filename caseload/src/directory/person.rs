//! What the directory says of somebody, before it is believed.

use model::{FieldError, Problem, enum_words::is_name};

/// The longest text of each, in characters.
const LONGEST: usize = 100;
/// The longest address and the longest id of the directory's own, in characters.
const LONGEST_ADDRESS: usize = 254;

/// What the directory says of somebody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DirectoryPerson {
    pub user_name: String,
    /// The directory's own id of them.
    pub external_id: Option<String>,
    pub given_name: Option<String>,
    pub family_name: Option<String>,
    pub display_name: Option<String>,
    pub email: Option<String>,
    /// Whether it wants them let in.
    pub active: bool,
}

impl DirectoryPerson {
    /// The same without spaces around, and without what is empty.
    pub(super) fn checked(self) -> Result<DirectoryPerson, Problem> {
        let trimmed = |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let person = DirectoryPerson {
            user_name: self.user_name.trim().to_owned(),
            external_id: trimmed(self.external_id),
            given_name: trimmed(self.given_name),
            family_name: trimmed(self.family_name),
            display_name: trimmed(self.display_name),
            email: trimmed(self.email),
            active: self.active,
        };
        let texts = [
            ("userName", Some(&person.user_name), LONGEST),
            ("externalId", person.external_id.as_ref(), LONGEST_ADDRESS),
            ("name.givenName", person.given_name.as_ref(), LONGEST),
            ("name.familyName", person.family_name.as_ref(), LONGEST),
            ("displayName", person.display_name.as_ref(), LONGEST * 2),
            ("emails", person.email.as_ref(), LONGEST_ADDRESS),
        ];
        let mut wrong = Vec::new();
        for (field, text, longest) in texts {
            let Some(text) = text.filter(|text| !text.is_empty()) else { continue };
            if !is_name(text, longest) {
                let message = format!("{field}: use 1 to {longest} visible characters.");
                wrong.push(FieldError::new(field, "invalid", message));
            }
        }
        if person.user_name.is_empty() {
            wrong.push(FieldError::new("userName", "required", "userName is required."));
        }
        if wrong.is_empty() { Ok(person) } else { Err(Problem::fields(wrong)) }
    }

    /// Their first and last name: as the directory says it, or the last word of how they are shown.
    pub(super) fn name(&self) -> (String, String) {
        if self.given_name.is_some() || self.family_name.is_some() {
            let part = |part: &Option<String>| part.clone().unwrap_or_default();
            return (part(&self.given_name), part(&self.family_name));
        }
        let shown = self.display_name.as_deref().unwrap_or(&self.user_name);
        let (first, last) = shown.rsplit_once(' ').unwrap_or(("", shown));
        (first.to_owned(), last.to_owned())
    }

    /// The username as the directory looks for it: whatever its capitals.
    pub(super) fn name_key(&self) -> String {
        name_key(&self.user_name)
    }

    /// What of it differs from another, by the names of the fields.
    pub(super) fn differs_in(&self, other: &DirectoryPerson) -> Vec<&'static str> {
        let all = [
            ("userName", self.user_name != other.user_name),
            ("externalId", self.external_id != other.external_id),
            ("givenName", self.given_name != other.given_name),
            ("familyName", self.family_name != other.family_name),
            ("displayName", self.display_name != other.display_name),
            ("email", self.email != other.email),
            ("active", self.active != other.active),
        ];
        all.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect()
    }
}

/// A name as it is looked for, whatever its capitals.
pub(super) fn name_key(name: &str) -> String {
    name.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn somebody_is_called_as_the_directory_says_or_as_they_are_shown() {
        let of = |given: Option<&str>, family: Option<&str>, shown: Option<&str>| {
            let text = |text: Option<&str>| text.map(str::to_owned);
            let (user_name, active) = ("ana@north.example".to_owned(), true);
            let (given_name, family_name, display_name) = (text(given), text(family), text(shown));
            let person = DirectoryPerson {
                user_name,
                given_name,
                family_name,
                display_name,
                active,
                ..DirectoryPerson::default()
            };
            let (first, last) = person.name();
            format!("{first}|{last}")
        };
        assert_eq!(of(Some("Ana"), Some("van Dyke"), Some("Dyke, A.")), "Ana|van Dyke");
        assert_eq!(of(None, None, Some("Ana Maria Reyes")), "Ana Maria|Reyes");
        assert_eq!(of(None, Some("Reyes"), None), "|Reyes");
        assert_eq!(of(None, None, None), "|ana@north.example");
    }

    #[test]
    fn what_is_too_long_or_cannot_be_seen_is_named() {
        let person = DirectoryPerson {
            user_name: " ".to_owned(),
            display_name: Some("a\nb".to_owned()),
            email: Some(String::new()),
            external_id: Some("x".repeat(255)),
            ..DirectoryPerson::default()
        };
        let problem = person.checked().unwrap_err();
        let fields: Vec<&str> = problem.errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["externalId", "displayName", "userName"]);
    }
}
