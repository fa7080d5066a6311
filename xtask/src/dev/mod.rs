//! `cargo xtask dev`: serves a demo, and whenever a source changes builds what has changed by it and has the open pages follow.

mod reload;
mod serving;
mod watch;

use crate::{build_server, bundle, bundle_extras, bundle_names, bundler::Bundler, setup};
use anyhow::{Context, Result};
use serving::Serving;
use std::{
    path::Path,
    time::{Instant, SystemTime},
};
use watch::{Sources, Touched};

/// Builds everything and serves it, then again what changes, until it is told to stop. What does not build is said, and what
/// was served before goes on.
///
/// # Errors
/// When the sources cannot be watched.
pub fn dev(serve: &[String]) -> Result<()> {
    setup::wasm_target()?;
    // From before the first look at any of them, so that no change is missed.
    let sources = Sources::watch()?;
    bundle::bundle(false)?;
    let mut dev = Dev { built: Built::default(), serving: Serving::of(serve), shown: reload::Shown::default() };
    let mut touched = Touched { code: true, ..Touched::default() };
    loop {
        let begun = Instant::now();
        match dev.follow(touched) {
            Ok(what) => say(what, begun),
            Err(error) => eprintln!("error: {error:#}\n==> what was there before goes on; waiting for a change"),
        }
        touched = sources.next()?;
    }
}

struct Dev {
    built: Built,
    serving: Serving,
    shown: reload::Shown,
}

/// When what cargo builds was last written, as far as it has been taken over. Cargo alone knows what depends on what.
#[derive(Default)]
struct Built {
    server: Option<SystemTime>,
    module: Option<SystemTime>,
}

impl Dev {
    /// Builds what these changes need, and has pages show it. Says what they show.
    fn follow(&mut self, touched: Touched) -> Result<&'static str> {
        if touched.script || touched.styles {
            bundle_extras::own(&bundle_names::dir())?;
            let shown = if touched.script { self.shown.pages() } else { self.shown.style() }?;
            if !touched.code {
                return Ok(shown);
            }
        }
        self.compile()
    }

    /// The server first: it renders every page, so that a change is seen before the module is there.
    fn compile(&mut self) -> Result<&'static str> {
        let begun = Instant::now();
        let server = build_server::build(false)?;
        if is_new(&server, &mut self.built.server)? || !self.serving.goes_on()? {
            self.serving.begin_anew(&server)?;
            self.shown.pages()?;
            say("the server shows it", begun);
        }
        let module = bundle::compile(false)?;
        if is_new(&module, &mut self.built.module)? {
            Bundler::ready()?.bind(&module, &bundle_names::dir(), false)?;
            self.shown.pages()?;
        }
        Ok("scripts have it as well")
    }
}

fn say(what: &str, begun: Instant) {
    eprintln!("==> {what} after {:.1} s", begun.elapsed().as_secs_f64());
}

/// Whether a file was written since it was last asked of.
fn is_new(file: &Path, known: &mut Option<SystemTime>) -> Result<bool> {
    let written = file.metadata().and_then(|file| file.modified());
    let written = written.with_context(|| format!("could not look at {}", file.display()))?;
    Ok(known.replace(written) != Some(written))
}
