//! A store for tests that speaks S3, on a free port, with its files in a temporary folder. It runs in the program that starts
//! it, on a thread of its own, and ends with it.

use std::net::SocketAddr;

use anyhow::{Context, Result};
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
};
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::oneshot, task::JoinSet};

/// The one bucket there is.
pub const BUCKET: &str = "docket";
/// Who may use it.
pub const KEY: (&str, &str) = ("docket-key", "docket-secret");

/// A store.
pub struct S3Store {
    address: SocketAddr,
    folder: TempDir,
    _ends: oneshot::Sender<()>,
}

impl S3Store {
    /// Starts it.
    pub fn start() -> Result<S3Store> {
        let folder = tempfile::tempdir()?;
        std::fs::create_dir(folder.path().join(BUCKET))?;
        let files = FileSystem::new(folder.path()).map_err(|error| anyhow::anyhow!("{error:?}"))?;
        let mut service = S3ServiceBuilder::new(files);
        service.set_auth(SimpleAuth::from_single(KEY.0, KEY.1));
        let service = service.build();
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let (ends, ended) = oneshot::channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        std::thread::Builder::new()
            .name("s3".to_owned())
            .spawn(move || {
                runtime.block_on(async move {
                    let Ok(listener) = TcpListener::from_std(listener) else { return };
                    let mut connections = JoinSet::new();
                    let serve = async {
                        while let Ok((stream, _)) = listener.accept().await {
                            let (server, service) = (Builder::new(TokioExecutor::new()), service.clone());
                            connections.spawn(async move {
                                // A client that hangs up is no news.
                                let _ = server.serve_connection(TokioIo::new(stream), service).await;
                            });
                        }
                    };
                    tokio::select! {
                        () = serve => {}
                        _ = ended => {}
                    }
                });
            })
            .context("no thread for the store")?;
        Ok(S3Store { address, folder, _ends: ends })
    }

    /// As in `export.s3.endpoint`.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Where its files lie.
    pub fn folder(&self) -> std::path::PathBuf {
        self.folder.path().join(BUCKET)
    }
}
