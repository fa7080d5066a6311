//! `bench NAME …`: runs one benchmark. All of them are one program, because each would bring the whole server with it.

#![allow(clippy::print_stdout, reason = "benchmarks print")]

mod measure;

use std::env::args;

use anyhow::{Result, bail};
use measure::{admin, export, mail, people_search, plans, siege, status_change, streams, workers};

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<()> {
    let mut arguments = args();
    let name = arguments.nth(1);
    match name.as_deref() {
        Some("admin") => admin::measure(arguments).await,
        Some("export") => export::measure(arguments).await,
        Some("mail") => mail::measure(arguments).await,
        Some("people_search") => people_search::measure(arguments).await,
        Some("plans") => plans::measure(arguments).await,
        Some("siege") => siege::measure(arguments).await,
        Some("status_change") => status_change::measure(arguments).await,
        Some("streams") => streams::measure(arguments).await,
        Some("workers") => workers::measure(arguments).await,
        _ => bail!("usage: bench admin|export|mail|people_search|plans|siege|status_change|streams|workers …"),
    }
}
