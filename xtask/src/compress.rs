//! Writes the compressed forms of a file beside it, so that the server never compresses the same bytes twice.

use anyhow::{Context, Result};
use std::{fs, io::Write, path::Path};

/// What one file of the bundle weighs, in bytes.
pub struct Sizes {
    /// File name.
    pub file: String,
    /// As written.
    pub raw: usize,
    /// As most visitors get it; nothing in a debug bundle, which nobody downloads.
    pub packed: Option<Packed>,
}

/// The compressed sizes of a file, in bytes.
pub struct Packed {
    /// `.gz`, at its best level.
    pub gzip: usize,
    /// `.br`, at quality 11.
    pub brotli: usize,
}

/// Measures a file; with `pack`, also writes `FILE.gz` and `FILE.br`.
pub fn sizes(path: &Path, pack: bool) -> Result<Sizes> {
    let content = fs::read(path).with_context(|| format!("could not read {}", path.display()))?;
    let packed = if pack { Some(packed(path, &content)?) } else { None };
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Sizes { file, raw: content.len(), packed })
}

fn packed(path: &Path, content: &[u8]) -> Result<Packed> {
    let write = |ending: &str, bytes: Vec<u8>| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        fs::write(&name, &bytes).with_context(|| format!("could not write {}", name.display())).map(|()| bytes.len())
    };
    Ok(Packed { gzip: write(".gz", gzip(content)?)?, brotli: write(".br", brotli(content)?)? })
}

fn gzip(content: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(content)?;
    Ok(encoder.finish()?)
}

fn brotli(mut content: &[u8]) -> Result<Vec<u8>> {
    let options = brotli::enc::BrotliEncoderParams { quality: 11, size_hint: content.len(), ..Default::default() };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut content, &mut packed, &options)?;
    Ok(packed)
}
