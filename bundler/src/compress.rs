//! Writes the compressed forms of a file beside it, so that the server never compresses the same bytes twice.

use anyhow::{Context, Result};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    thread,
};

/// Writes `FILE.gz` at its best level and `FILE.br` at quality 11, of all files at once.
///
/// # Errors
/// When a file cannot be read or written.
pub fn all(files: &[PathBuf]) -> Result<()> {
    thread::scope(|scope| {
        let packing: Vec<_> = files.iter().map(|file| scope.spawn(|| one(file))).collect();
        packing
            .into_iter()
            .try_for_each(|packed| packed.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

fn one(file: &Path) -> Result<()> {
    let content = fs::read(file).with_context(|| format!("could not read {}", file.display()))?;
    write(file, ".gz", &gzip(&content)?)?;
    write(file, ".br", &brotli(&content)?)
}

fn write(file: &Path, ending: &str, bytes: &[u8]) -> Result<()> {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    fs::write(&name, bytes).with_context(|| format!("could not write {}", name.display()))
}

fn gzip(content: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(content)?;
    Ok(encoder.finish()?)
}

fn brotli(mut content: &[u8]) -> Result<Vec<u8>> {
    // Blocks of 128 KiB: the module comes out 0.4 kB smaller than with those that the encoder would choose.
    let options =
        brotli::enc::BrotliEncoderParams { quality: 11, size_hint: content.len(), lgblock: 17, ..Default::default() };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut content, &mut packed, &options)?;
    Ok(packed)
}
