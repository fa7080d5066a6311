//! How an open page hears that there is something new: a debug build reads what browsers download from the disk, and so the
//! script that every page loads gets a few lines more, which ask for a file beside it.

use crate::bundle_names;
use anyhow::{Context, Result};
use std::fs;

/// What has been built, as two numbers that go up; and the file that says it.
#[derive(Default)]
pub struct Shown {
    pages: u64,
    styles: u64,
}

const FILE: &str = "built.json";

/// The lines; `BUILT` is what was built when the page was loaded.
const SCRIPT: &str = r#"
{
  let known = BUILT;
  setInterval(async () => {
    const answer = await fetch(new URL("built.json", import.meta.url), { cache: "no-store" }).catch(() => undefined);
    const built = answer?.ok ? await answer.json() : known;
    if (built.pages !== known.pages) location.reload();
    if (built.styles !== known.styles)
      for (const sheet of document.querySelectorAll('link[rel="stylesheet"]'))
        sheet.href = sheet.href.replace(/\?.*|$/, `?built=${built.styles}`);
    known = built;
  }, 200);
}
"#;

impl Shown {
    /// Has pages load themselves again.
    pub fn pages(&mut self) -> Result<&'static str> {
        self.pages += 1;
        self.say()?;
        Ok("pages show it")
    }

    /// Has pages take the stylesheet again, and stay as they are otherwise.
    pub fn style(&mut self) -> Result<&'static str> {
        self.styles += 1;
        self.say()?;
        Ok("pages have the new style")
    }

    fn say(&self) -> Result<()> {
        let built = format!(r#"{{"pages":{},"styles":{}}}"#, self.pages, self.styles);
        let script = bundle_names::dir().join(bundle_names::PAGE);
        let served = fs::read_to_string(&script).context("could not read the script of pages")?;
        let own = served.split(SCRIPT.split("BUILT").next().unwrap_or_default()).next().unwrap_or_default();
        fs::write(&script, format!("{own}{}", SCRIPT.replace("BUILT", &built)))
            .context("could not write the script")?;
        // Last: a page that asks in between loads itself once too often, and not once too little.
        fs::write(bundle_names::dir().join(FILE), &built).context("could not say what is built")
    }
}
