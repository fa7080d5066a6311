//! A password that Docket has made, for whoever gives it to its owner.

use leptos::prelude::*;

use crate::components::{icon::Icon, type_erasure::Erase, values::secret::secret};

/// A password that is shown this once, with whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fresh {
    pub username: String,
    pub password: String,
}

/// A password that is shown this once, to whoever gives it to somebody of this name.
pub fn view(fresh: Option<Fresh>, name: &str) -> Option<AnyView> {
    let Fresh { username, password } = fresh?;
    Some(
        view! {
            <div class="notice ok" role="status">
                <Icon name="key"/>
                <div>
                    <strong>{format!("One-time password for {name} ({username})")}</strong>
                    <p>"Give it to them now: it is shown only once. It works for one sign-in; then they choose their own."</p>
                    {secret(password)}
                </div>
            </div>
        }
        .erase(),
    )
}
