//! The pages of Docket.
use leptos::prelude::*;
/// The application.
#[component]
pub fn App() -> impl IntoView { view! { <p>"Docket"</p> } }
