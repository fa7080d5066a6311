//! `docket config`.

use crate::config::Shown;

/// One line for each setting, in columns.
pub fn print(settings: &[Shown]) {
    let width = |text: fn(&Shown) -> &str| settings.iter().map(|shown| text(shown).chars().count()).max().unwrap_or(0);
    let (keys, values) = (width(|shown| &shown.key), width(|shown| &shown.value));
    for Shown { key, value, origin } in settings {
        println!("{key:keys$}  {value:values$}  {origin}");
    }
}
