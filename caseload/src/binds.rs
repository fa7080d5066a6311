//! Collects the values of a statement while its text is put together, so that fragments from several files can meet in one.

use sea_orm::Value;

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

    pub fn values(self) -> Vec<Value> {
        self.values
    }
}
