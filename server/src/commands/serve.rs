//! `docket serve`: until SIGTERM or Ctrl-C.

use anyhow::{Result, bail};
use clap::Args;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::{
    config::Config,
    process::{
        demo::Demo,
        run::{self, ProcessRole},
    },
    web::assets,
};

#[derive(Args)]
pub struct Serve {
    /// Fill an empty database with made-up people, and add accounts whose passwords are shown; on this machine only
    #[arg(long)]
    demo: bool,
    /// The password of those accounts, instead of one made up for each: after a restart it is the same, and nobody is signed out
    #[arg(long, hide = true, requires = "demo")]
    demo_password: Option<String>,
    /// all: pages and tasks; web: pages only; worker: tasks only. web and worker need PostgreSQL
    #[arg(long, default_value = "all")]
    role: ProcessRole,
}

impl Serve {
    pub async fn run(self, config: Config) -> Result<()> {
        // Before anything else: a signal during the start is not lost.
        let mut signals = Signals::listen()?;
        let missing = assets::missing();
        if self.role.serves_pages() && !missing.is_empty() {
            bail!("the browser bundle lacks {}: build it with `cargo xtask bundle`", missing.join(", "));
        }
        let demo = self.demo.then_some(Demo { password: self.demo_password });
        run::serve(config, self.role, demo, async || signals.next().await).await
    }
}

/// SIGTERM and Ctrl-C.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn listen() -> Result<Signals> {
        Ok(Signals { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
