//! A TCP proxy before PostgreSQL that cuts connections at a COMMIT: before it has arrived, or after it was done and before its
//! answer.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// Every how many commits one is cut.
const EVERY: u64 = 25;

#[derive(Default)]
pub struct Cuts {
    commits: AtomicU64,
    pub before: AtomicU64,
    pub after: AtomicU64,
    /// None is cut any more.
    pub over: std::sync::atomic::AtomicBool,
}

/// Where it listens, and what it has cut.
pub async fn before(port: u16) -> (u16, Arc<Cuts>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().port();
    let cuts = Arc::new(Cuts::default());
    let counted = cuts.clone();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            if let Ok(server) = TcpStream::connect(("127.0.0.1", port)).await {
                tokio::spawn(pass(client, server, counted.clone()));
            }
        }
    });
    (address, cuts)
}

/// Passes bytes both ways until one side ends or a cut is due; both sides are closed then.
async fn pass(mut client: TcpStream, mut server: TcpStream, cuts: Arc<Cuts>) {
    let (mut up, mut down) = (vec![0; 65_536], vec![0; 65_536]);
    loop {
        tokio::select! {
            read = client.read(&mut up) => {
                let Ok(read @ 1..) = read else { return };
                let commit = up[..read].windows(6).any(|word| word == b"COMMIT");
                let cut = commit && {
                    let commits = cuts.commits.fetch_add(1, Ordering::SeqCst) + 1;
                    commits.is_multiple_of(EVERY) && !cuts.over.load(Ordering::SeqCst)
                };
                if cut && cuts.before.load(Ordering::SeqCst) <= cuts.after.load(Ordering::SeqCst) {
                    cuts.before.fetch_add(1, Ordering::SeqCst);
                    return;
                }
                if server.write_all(&up[..read]).await.is_err() {
                    return;
                }
                if cut {
                    // Its answer comes, and goes no further.
                    let _ = server.read(&mut down).await;
                    cuts.after.fetch_add(1, Ordering::SeqCst);
                    return;
                }
            }
            read = server.read(&mut down) => {
                let Ok(read @ 1..) = read else { return };
                if client.write_all(&down[..read]).await.is_err() {
                    return;
                }
            }
        }
    }
}
