//! `docket config`.

use super::answer::say;
use crate::config::Shown;

/// One line for each setting, in columns.
pub fn print(settings: &[Shown]) {
    let width = |text: fn(&Shown) -> &str| settings.iter().map(|shown| text(shown).chars().count()).max().unwrap_or(0);
    let (keys, values) = (width(|shown| &shown.key), width(|shown| &shown.value));
    for Shown { key, value, origin } in settings {
        say(format_args!("{key:keys$}  {value:values$}  {origin}"));
    }
}
