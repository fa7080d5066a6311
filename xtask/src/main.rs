//! `cargo xtask`: everything a developer or CI does with this repository, as one command each, with its own set-up.
//! Nothing here is part of the product, and nothing here knows what the product does.
#![allow(clippy::disallowed_methods, reason = "a build tool reads the environment where it needs it")]
#![allow(clippy::print_stdout, reason = "standard output is how a build tool answers")]

mod api_viewer;
mod browser;
mod budget;
mod build_server;
mod bundle;
mod bundle_dependencies;
mod bundle_extras;
mod bundle_names;
mod bundler;
mod cargo;
mod delivered;
mod dev;
mod endure;
mod failures;
mod house;
mod page_figures;
mod postgres;
mod replace;
mod run;
mod scratch;
mod setup;
mod test;
mod test_builds;
mod test_servers;

use clap::Parser;
use std::process::ExitCode;

/// Runs, tests and bundles Docket.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    /// Build everything and serve a demo at 127.0.0.1:3000, its data in data/docket.db
    Run {
        /// Optimised: slower to build, faster to use
        #[arg(long)]
        release: bool,
        /// Passed on to `docket serve`
        #[arg(last = true)]
        serve: Vec<String>,
    },
    /// Serve a demo as `run` does, and whenever a source changes build it again and have the open pages follow
    Dev {
        /// Passed on to `docket serve`
        #[arg(last = true)]
        serve: Vec<String>,
    },
    /// Check everything, and stop at the first step that fails
    Test(test::Options),
    /// Run what takes too long for every check, on an optimised build and a quiet machine; two hours at most
    Endure(endure::Options),
    /// Build what the browser downloads, into target/site/pkg
    Bundle {
        /// Built for size, compressed, and held to its budgets
        #[arg(long)]
        release: bool,
    },
    /// Run a benchmark of bench/src/measure in release, such as `people_search sqlite://people.db`, or `pages`: what each page weighs
    Bench {
        name: String,
        /// Passed on to the benchmark
        arguments: Vec<String>,
    },
    /// Print the figures of how the code is built: circles, large folders, spliced SQL, bare ids, names used twice
    House {
        /// And what each is made of
        #[arg(long)]
        all: bool,
    },
    /// Build what the bundle has beside its module (this is how Trunk gets it)
    Beside,
}

fn main() -> ExitCode {
    let done = match Task::parse() {
        Task::Run { release, serve } => run::run(release, &serve),
        Task::Dev { serve } => dev::dev(&serve),
        Task::Test(options) => test::test(&options),
        Task::Endure(options) => endure::endure(&options),
        Task::Bundle { release } => bundle::bundle(release),
        Task::Bench { name, .. } if name == "pages" => page_figures::print(),
        Task::Bench { name, arguments } => cargo::run(cargo::benchmark(&name).args(arguments)),
        Task::House { all } => house::house(all),
        Task::Beside => bundle_extras::for_trunk(),
    };
    // Printed here and not returned: what failed is another program, and a backtrace through this one says nothing.
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
