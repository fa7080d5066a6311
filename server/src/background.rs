//! Where tasks run: on threads of their own that take what pages leave of the processors, so that nobody waits for a page
//! because somebody else exports everybody. What a task does in the database's file it does on such threads as well, since
//! a thread begins as important as the one that begins it.

use std::io;

use tokio::{
    runtime::{Builder, Handle, Runtime},
    task::JoinError,
};

/// How much less important than pages, on the scale of nice(1), where a step is about a quarter of the share.
#[cfg(target_os = "linux")]
const YIELDS: i32 = 10;

/// The threads, which end with it.
pub struct Background {
    /// There until the end.
    runtime: Option<Runtime>,
    pub handle: Handle,
}

impl Background {
    pub fn start() -> io::Result<Background> {
        let mut builder = Builder::new_multi_thread();
        builder.enable_all().thread_name("background").on_thread_start(yield_to_pages);
        let runtime = builder.build()?;
        Ok(Background { handle: runtime.handle().clone(), runtime: Some(runtime) })
    }

    /// What comes of a future that is made there and never leaves.
    pub async fn run<F: Future<Output: Send>>(
        &self,
        make: impl FnOnce() -> F + Send + 'static,
    ) -> Result<F::Output, JoinError>
    where
        F::Output: 'static,
    {
        let handle = self.handle.clone();
        self.handle.spawn_blocking(move || handle.block_on(make())).await
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // Whoever drops it may be a future, which must not wait.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Makes the thread that calls it less important. Elsewhere than on Linux there is no such thing for one thread.
fn yield_to_pages() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, YIELDS) {
        tracing::warn!(%error, "tasks are as important as pages to this machine");
    }
}
