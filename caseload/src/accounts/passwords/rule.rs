//! Who may come in by a password.

/// For whom there are passwords.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PasswordRule {
    #[default]
    Everybody,
    /// Only this account, by its key, should no provider let anybody in any more.
    Only(String),
}

impl PasswordRule {
    /// Whether somebody of this username, as the table has it, has a password.
    pub fn is_for(&self, username: &str) -> bool {
        match self {
            PasswordRule::Everybody => true,
            PasswordRule::Only(one) => one == username,
        }
    }

    /// Whether this is the one account that has to open whatever a provider says: no provider may take it over, or shut it.
    pub fn is_last_resort(&self, username: &str) -> bool {
        matches!(self, PasswordRule::Only(one) if one == username)
    }
}
