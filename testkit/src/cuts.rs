//! A TCP proxy before PostgreSQL that cuts connections at a COMMIT: before it has arrived, or after it was done and before its
//! answer.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// At which commits a connection is cut.
#[derive(Clone, Copy, Debug)]
pub enum At {
    /// Every so many, before and after in turns.
    Every(u64),
    /// Only at this one, counted from 1, once it is done.
    Done(u64),
    /// Only at this one, before it has arrived.
    Lost(u64),
}

/// What it has seen and cut.
pub struct Cuts {
    at: At,
    commits: AtomicU64,
    pub before: AtomicU64,
    pub after: AtomicU64,
    /// None is cut any more.
    pub over: AtomicBool,
}

/// What becomes of a commit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Passes,
    Lost,
    Done,
}

impl Cuts {
    /// How many connections were cut.
    pub fn count(&self) -> u64 {
        self.before.load(Ordering::SeqCst) + self.after.load(Ordering::SeqCst)
    }

    fn fate(&self) -> Fate {
        let commit = self.commits.fetch_add(1, Ordering::SeqCst) + 1;
        let in_turn = match self.before.load(Ordering::SeqCst) <= self.after.load(Ordering::SeqCst) {
            true => Fate::Lost,
            false => Fate::Done,
        };
        let fate = match self.at {
            At::Every(n) if commit.is_multiple_of(n) => in_turn,
            At::Done(n) if commit == n => Fate::Done,
            At::Lost(n) if commit == n => Fate::Lost,
            At::Every(_) | At::Done(_) | At::Lost(_) => Fate::Passes,
        };
        if self.over.load(Ordering::SeqCst) { Fate::Passes } else { fate }
    }
}

/// Stands before the server at a port of this machine; gives its own port, and what it has cut.
#[expect(clippy::disallowed_methods, reason = "it ends with the test")]
pub async fn before(port: u16, at: At) -> io::Result<(u16, Arc<Cuts>)> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?.port();
    let zero = AtomicU64::default;
    let cuts = Arc::new(Cuts { at, commits: zero(), before: zero(), after: zero(), over: AtomicBool::default() });
    let counted = cuts.clone();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            if let Ok(server) = TcpStream::connect(("127.0.0.1", port)).await {
                tokio::spawn(pass(client, server, counted.clone()));
            }
        }
    });
    Ok((address, cuts))
}

/// Passes bytes both ways until one side ends or a cut is due; both sides are closed then.
async fn pass(mut client: TcpStream, mut server: TcpStream, cuts: Arc<Cuts>) {
    let (mut up, mut down) = (vec![0; 65_536], vec![0; 65_536]);
    loop {
        tokio::select! {
            read = client.read(&mut up) => {
                let Ok(read @ 1..) = read else { return };
                let commit = up[..read].windows(6).any(|word| word == b"COMMIT");
                let fate = if commit { cuts.fate() } else { Fate::Passes };
                if fate == Fate::Lost {
                    cuts.before.fetch_add(1, Ordering::SeqCst);
                    return;
                }
                if server.write_all(&up[..read]).await.is_err() {
                    return;
                }
                if fate == Fate::Done {
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
