//! How passwords are hashed and looked at: argon2id with the crate's parameters (19 MiB, two passes). Each takes a processor for a
//! moment, so there are few at once; and its memory, which is kept for the next one: what is asked for and given back by thread
//! after thread stays with the process many times over.

use std::{
    cell::RefCell,
    sync::{Mutex, OnceLock, PoisonError},
};

use argon2::{
    Algorithm, Argon2, Block, Params, Version,
    password_hash::{
        self, CustomizedPasswordHasher, PasswordHasher, PasswordVerifier,
        phc::{Output, ParamsString, PasswordHash, Salt},
    },
};
use model::{Code, Problem};
use tokio::sync::Semaphore;

use crate::{Error, Result};

/// How many passwords are looked at at once in a lane.
const TURNS: usize = 2;
/// Those who are looked at and those who wait.
const ROOM: usize = 64;

/// What a new hash costs, if it is not what the crate says. A hash names its cost, so that it is looked at for as much.
static COST: OnceLock<Params> = OnceLock::new();

/// Has the hashes that this process makes from now on cost next to nothing. For tests, each of which has accounts of its own.
pub fn cost_next_to_nothing() {
    if let Ok(least) = Params::new(Params::MIN_M_COST, Params::MIN_T_COST, Params::MIN_P_COST, None) {
        COST.get_or_init(|| least);
    }
}

/// For whoever signs in where they are known, who does not wait for strangers.
pub(crate) static KNOWN: Lane = Lane::new();
/// For everybody else.
pub(crate) static STRANGERS: Lane = Lane::new();

/// Where passwords are looked at, off the async threads.
pub(crate) struct Lane {
    room: Semaphore,
    turns: Semaphore,
    /// What nobody works in just now; never more than there are turns.
    memory: Mutex<Vec<Vec<Block>>>,
}

impl Lane {
    const fn new() -> Lane {
        Lane { room: Semaphore::const_new(ROOM), turns: Semaphore::const_new(TURNS), memory: Mutex::new(Vec::new()) }
    }

    /// The hash of a password, with a salt of its own.
    pub async fn hash(&'static self, password: String) -> Result<String> {
        let hash = move |hasher: &Hasher| hasher.hash_password(password.as_bytes()).map(|hash| hash.to_string());
        self.run(hash).await?.map_err(internal)
    }

    /// Whether this is the password of a hash.
    pub async fn verify(&'static self, password: String, hash: String) -> Result<bool> {
        let verify = move |hasher: &Hasher| {
            PasswordHash::new(&hash).is_ok_and(|hash| hasher.verify_password(password.as_bytes(), &hash).is_ok())
        };
        self.run(verify).await
    }

    /// Which of these hashes is of this text, if any is.
    pub async fn which(&'static self, text: String, hashes: Vec<String>) -> Result<Option<usize>> {
        let is_of = move |hasher: &Hasher, hash: &String| {
            PasswordHash::new(hash).is_ok_and(|hash| hasher.verify_password(text.as_bytes(), &hash).is_ok())
        };
        self.run(move |hasher| hashes.iter().position(|hash| is_of(hasher, hash))).await
    }

    /// Too many who wait already send away whoever comes. Whoever hangs up while they are looked at has their turn to its end.
    async fn run<T: Send + 'static>(&'static self, work: impl FnOnce(&Hasher) -> T + Send + 'static) -> Result<T> {
        let room = self.room.try_acquire().map_err(|_| busy())?;
        let turn = self.turns.acquire().await.map_err(internal)?;
        let work = move || {
            let _held = (room, turn);
            let hasher = Hasher { memory: RefCell::new(self.memory().pop().unwrap_or_default()) };
            let done = work(&hasher);
            self.memory().push(hasher.memory.into_inner());
            done
        };
        tokio::task::spawn_blocking(work).await.map_err(internal)
    }

    fn memory(&self) -> std::sync::MutexGuard<'_, Vec<Vec<Block>>> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The crate's own hasher asks for new memory each time; this one works in what it is given.
struct Hasher {
    memory: RefCell<Vec<Block>>,
}

impl CustomizedPasswordHasher<PasswordHash> for Hasher {
    type Params = Params;

    fn hash_password_customized(
        &self,
        password: &[u8],
        salt: &[u8],
        algorithm: Option<&str>,
        version: Option<password_hash::Version>,
        params: Params,
    ) -> password_hash::Result<PasswordHash> {
        let algorithm = algorithm.map(Algorithm::try_from).transpose()?.unwrap_or_default();
        let version = version.map(Version::try_from).transpose()?.unwrap_or_default();
        let salt = Salt::new(salt)?;
        let mut hash = [0; Output::MAX_LENGTH];
        let length = params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN);
        let hash = hash.get_mut(..length).ok_or(password_hash::Error::OutputSize)?;
        let mut memory = self.memory.borrow_mut();
        memory.resize(params.block_count(), Block::new());
        let argon2 = Argon2::new(algorithm, version, params);
        argon2.hash_password_into_with_memory(password, &salt, hash, memory.as_mut_slice())?;
        Ok(PasswordHash {
            algorithm: algorithm.ident(),
            version: Some(version.into()),
            params: ParamsString::try_from(argon2.params())?,
            salt: Some(salt),
            hash: Some(Output::new(hash)?),
        })
    }
}

impl PasswordHasher<PasswordHash> for Hasher {
    fn hash_password_with_salt(&self, password: &[u8], salt: &[u8]) -> password_hash::Result<PasswordHash> {
        self.hash_password_customized(password, salt, None, None, COST.get().cloned().unwrap_or_default())
    }
}

fn busy() -> Problem {
    let detail = "Many people are signing in right now. Try again in a moment.";
    Problem::new(503, Code::UNAVAILABLE, "Too many sign-ins right now", detail).with("retryAfter", 5)
}

fn internal(error: impl std::fmt::Display) -> Error {
    Error::Internal(error.to_string())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures::FutureExt;
    use tokio::sync::oneshot;

    use super::*;

    testkit::tests!(on one thread; few_passwords_are_looked_at_at_once_whoever_hangs_up, whoever_comes_when_very_many_wait_is_sent_away, memory_is_used_again_by_hashes_of_whatever_size);

    async fn few_passwords_are_looked_at_at_once_whoever_hangs_up() {
        static LANE: Lane = Lane::new();
        static LOOKED_AT: AtomicUsize = AtomicUsize::new(0);
        let mut ends = Vec::new();
        for nth in 0..ROOM {
            let (end, ended) = oneshot::channel::<()>();
            let (begun, is_begun) = oneshot::channel::<usize>();
            ends.push(end);
            let look = LANE.run(move |_| {
                begun.send(LOOKED_AT.fetch_add(1, Ordering::SeqCst)).is_ok_and(|()| ended.blocking_recv().is_ok())
            });
            if nth < TURNS {
                tokio::select! {
                    _ = look => panic!("nobody has let it end"),
                    begun = is_begun => assert_eq!(begun.unwrap(), nth),
                }
            } else {
                assert!(look.now_or_never().is_none(), "{nth}");
            }
        }
        assert_eq!(LOOKED_AT.load(Ordering::SeqCst), TURNS);
        assert_eq!(LANE.turns.available_permits(), 0, "whoever hung up gave their turn away before its end");
        drop(ends);
        assert!(LANE.run(|_| true).await.unwrap());
        assert!(LANE.memory().len() <= TURNS);
    }

    async fn whoever_comes_when_very_many_wait_is_sent_away() {
        static LANE: Lane = Lane::new();
        let (_all, none) =
            (LANE.room.acquire_many(u32::try_from(ROOM).unwrap()).await.unwrap(), LANE.run(|_| ()).await);
        assert!(matches!(none, Err(Error::Refused(problem)) if problem.status == 503));
    }

    async fn memory_is_used_again_by_hashes_of_whatever_size() {
        static LANE: Lane = Lane::new();
        let hash = LANE.hash("heron".to_owned()).await.unwrap();
        let small = Argon2::from(Params::new(64, 1, 2, None).unwrap()).hash_password(b"heron").unwrap().to_string();
        for (password, hash, is_right) in
            [("heron", &hash, true), ("herons", &hash, false), ("heron", &small, true), ("heron", &hash, true)]
        {
            assert_eq!(LANE.verify(password.to_owned(), hash.clone()).await.unwrap(), is_right, "{password} {hash}");
        }
        assert!(Argon2::default().verify_password(b"heron", hash.as_str()).is_ok(), "{hash}");
        assert_eq!(LANE.memory().iter().map(Vec::len).collect::<Vec<_>>(), [Params::default().block_count()]);
    }
}
