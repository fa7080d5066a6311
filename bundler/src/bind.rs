//! Fits a compiled module to the browser. Does not run wasm-opt: after compression it saves nothing, and some versions break the
//! module in ways only a browser shows.

use anyhow::{Context, Result};
use std::path::Path;
use wasm_bindgen_cli_support::Bindgen;

/// Writes `NAME_bg.wasm` and `NAME.js`.
///
/// # Errors
/// When that is no module, or does not fit the library that binds it.
pub fn bind(module: &Path, out: &Path, name: &str, release: bool) -> Result<()> {
    let mut bound = Bindgen::new()
        .input_path(module)
        .out_name(name)
        .web(true)?
        .typescript(false)
        .keep_debug(!release)
        .remove_name_section(release)
        .remove_producers_section(release)
        .generate_output()
        .with_context(|| format!("could not bind {}", module.display()))?;
    bound.emit(out).with_context(|| format!("could not write to {}", out.display()))
}
