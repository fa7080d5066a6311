//! Collects the values of a statement while its text is put together, so that fragments from several files can meet in one.

use model::PersonId;
use sea_orm::Value;
use serde_json::Value as Json;

/// Many values of one sort: people, or texts.
pub enum Many<'a> {
    People(&'a [PersonId]),
    Texts(&'a [String]),
}

/// The values so far; each gets the next `$n`.
#[derive(Clone, Default)]
pub struct Binds {
    values: Vec<Value>,
}

impl Binds {
    /// Adds a value and gives its placeholder.
    pub fn add(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("${}", self.values.len())
    }

    /// Adds several and gives `$1, $2, …`.
    pub fn list<V: Into<Value>>(&mut self, values: impl IntoIterator<Item = V>) -> String {
        values.into_iter().map(|value| self.add(value)).collect::<Vec<_>>().join(", ")
    }

    /// Adds as many as somebody may name, as one value, and gives a query for them: SQLite looks through the names of all
    /// parameters for each of them, so that ten thousand cost a tenth of a second.
    pub fn many(&mut self, values: &Many<'_>) -> String {
        let (text, read, cast) = match values {
            Many::People(ids) => {
                let ids: Vec<String> = ids.iter().map(|id| id.uuid().simple().to_string()).collect();
                (Json::from(ids), "unhex(value)", "::uuid")
            }
            Many::Texts(texts) => (Json::from(texts.to_vec()), "value", ""),
        };
        let place = self.add(text.to_string());
        format!(
            "{{sqlite:SELECT {read} FROM json_each({place})}}{{postgres:SELECT value{cast} FROM json_array_elements_text({place}::json)}}"
        )
    }

    pub fn values(self) -> Vec<Value> {
        self.values
    }
}
