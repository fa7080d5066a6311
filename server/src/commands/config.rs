//! `docket config`.

use anyhow::Result;
use clap::Args;

use super::answer::say;
use crate::config::{Config as Settings, ShownSetting, reference};

#[derive(Args)]
pub struct ConfigCommand {
    /// Print what every setting is for and its default, in Markdown
    #[arg(long)]
    reference: bool,
}

impl ConfigCommand {
    pub fn run(&self, settings: &Settings) -> Result<()> {
        match self.reference {
            true => say(reference::text()?.trim_end()),
            false => print(&settings.shown),
        }
        Ok(())
    }
}

/// One line for each setting, in columns.
fn print(settings: &[ShownSetting]) {
    let width =
        |text: fn(&ShownSetting) -> &str| settings.iter().map(|shown| text(shown).chars().count()).max().unwrap_or(0);
    let (keys, values) = (width(|shown| &shown.key), width(|shown| &shown.value));
    for ShownSetting { key, value, origin } in settings {
        say(format_args!("{key:keys$}  {value:values$}  {origin}"));
    }
}
