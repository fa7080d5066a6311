//! As whom Docket hands messages over.

/// As whom Docket hands messages over.
pub struct Login {
    pub name: String,
    pub password: String,
}
