//! Bundles and minifies the stylesheet. Given no list of browsers on purpose: `light-dark()`, nesting, layers and
//! container queries are to reach the browser as written, not as older equivalents.

use anyhow::{Result, anyhow};
use lightningcss::{
    bundler::{Bundler, FileProvider},
    stylesheet::{MinifyOptions, ParserOptions, PrinterOptions},
};
use std::{fmt::Display, path::Path};

/// The entry file with everything it imports, minified.
///
/// # Errors
/// When a file is missing or is not CSS; the message names file, line and column.
pub fn bundle(entry: &Path) -> Result<String> {
    let files = FileProvider::new();
    let mut bundler = Bundler::new(&files, None, ParserOptions::default());
    let mut sheet = bundler.bundle(entry).map_err(located)?;
    sheet.minify(MinifyOptions::default()).map_err(located)?;
    let printed = sheet.to_css(PrinterOptions { minify: true, ..PrinterOptions::default() }).map_err(located)?;
    Ok(printed.code)
}

/// The library's errors borrow from the files, so they go on as text; its own text counts lines from zero.
fn located<T: Display>(error: lightningcss::error::Error<T>) -> anyhow::Error {
    match error.loc {
        Some(place) => anyhow!("{}:{}:{}: {}", place.filename, place.line + 1, place.column, error.kind),
        None => anyhow!("{}", error.kind),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn imports_are_bundled_and_modern_css_stays_modern() {
        let folder = tempfile::tempdir().unwrap();
        let entry = folder.path().join("docket.css");
        fs::write(
            &entry,
            "@layer tokens, components;\n@import \"tokens.css\" layer(tokens);\n@import \"row.css\" layer(components);",
        )
        .unwrap();
        fs::write(folder.path().join("tokens.css"), ":root { --ink: light-dark(#111, #eee); }").unwrap();
        fs::write(
            folder.path().join("row.css"),
            ".row { color: light-dark(black, white); &:hover { color: var(--ink); } @container (width > 40rem) { gap: 1rem; } }",
        )
        .unwrap();

        let css = bundle(&entry).unwrap();
        for kept in [
            "@layer tokens{:root{",
            "--ink:light-dark(#111,#eee)",
            "color:light-dark(",
            "&:hover",
            "@container (width>40rem)",
        ] {
            assert!(css.contains(kept), "{kept} is missing in {css}");
        }
        assert!(!css.contains("@import"), "{css}");
    }

    #[test]
    fn a_mistake_is_an_error_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let entry = folder.path().join("docket.css");
        fs::write(&entry, ".row { color: red; }\n.row ] {}").unwrap();
        let message = bundle(&entry).unwrap_err().to_string();
        assert!(message.contains("docket.css:2:6: "), "{message}");
    }
}
