//! `docket config`.

use anyhow::Result;
use clap::Args;

use super::answer::say;
use crate::config::{Config as Settings, Shown, reference};

#[derive(Args)]
pub struct Config {
    /// Print what every setting is for and its default, in Markdown
    #[arg(long)]
    reference: bool,
}

impl Config {
    pub fn run(&self, settings: &Settings) -> Result<()> {
        match self.reference {
            true => say(reference::text()?.trim_end()),
            false => print(&settings.shown),
        }
        Ok(())
    }
}

/// One line for each setting, in columns.
fn print(settings: &[Shown]) {
    let width = |text: fn(&Shown) -> &str| settings.iter().map(|shown| text(shown).chars().count()).max().unwrap_or(0);
    let (keys, values) = (width(|shown| &shown.key), width(|shown| &shown.value));
    for Shown { key, value, origin } in settings {
        say(format_args!("{key:keys$}  {value:values$}  {origin}"));
    }
}
