//! Lists among the values of a statement.

use sea_orm::Value;

/// The condition that a column is one of these values, which are added to those of the statement.
pub fn one_of<V: Into<Value>>(values: &mut Vec<Value>, column: &str, items: impl Iterator<Item = V>) -> String {
    let places: Vec<String> = items
        .map(|item| {
            values.push(item.into());
            format!("${}", values.len())
        })
        .collect();
    if places.is_empty() { "(1 = 0)".to_owned() } else { format!("({column} IN ({}))", places.join(", ")) }
}
