//! Names of people.

/// `Samira Noor`, as one says it, of a name as lists have it.
pub fn said(name: &str) -> String {
    name.split_once(", ").map_or_else(|| name.to_owned(), |(last, given)| format!("{given} {last}"))
}
