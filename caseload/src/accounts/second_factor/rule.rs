//! Who must have a second factor.

use model::Role;

/// Of whom a second factor is asked who come in by a password. Whoever has set one up is asked for it in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SecondFactorRule {
    /// Of nobody: whoever wants one has one.
    #[default]
    Off,
    Administrators,
    Everybody,
}

impl SecondFactorRule {
    /// Whether somebody with this role must have one.
    pub fn is_for(self, role: Role) -> bool {
        match self {
            SecondFactorRule::Off => false,
            SecondFactorRule::Administrators => role == Role::Administrator,
            SecondFactorRule::Everybody => true,
        }
    }
}
