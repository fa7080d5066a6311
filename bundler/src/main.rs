//! What `cargo xtask` does to the files that a browser downloads, as a program of its own: the libraries behind it take a minute
//! to compile, and do so while the module is compiled that they are for.

mod bind;
mod compress;
mod style;

use clap::Parser;
use std::{fs, path::PathBuf, process::ExitCode};

use anyhow::{Context, Result};

/// Makes of what was compiled and written what a browser downloads.
#[derive(Parser)]
#[command(name = "bundler")]
enum Task {
    /// Write what a page loads of a compiled module, and the script that loads it
    Bind {
        module: PathBuf,
        /// The folder it is written to
        out: PathBuf,
        /// The stem of both files' names
        #[arg(long)]
        name: String,
        /// Without what only a debugger reads
        #[arg(long)]
        release: bool,
    },
    /// Write a stylesheet with everything it imports, minified
    Style { entry: PathBuf, out: PathBuf },
    /// Write FILE.gz and FILE.br beside each file
    Compress { files: Vec<PathBuf> },
}

fn main() -> ExitCode {
    match run(Task::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<()> {
    match task {
        Task::Bind { module, out, name, release } => bind::bind(&module, &out, &name, release),
        Task::Style { entry, out } => {
            fs::write(&out, style::bundle(&entry)?).with_context(|| format!("could not write {}", out.display()))
        }
        Task::Compress { files } => compress::all(&files),
    }
}
