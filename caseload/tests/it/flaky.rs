//! A store that fails one write in three, before it is done or after, by chance that is the same each time.

use std::{
    fmt,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
};

use async_trait::async_trait;
use futures::{FutureExt, stream::BoxStream};
use object_store::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore, PutMultipartOptions,
    PutOptions, PutPayload, PutResult, Result, UploadPart, memory::InMemory, path::Path,
};
use rand::{RngExt, SeedableRng, rngs::SmallRng};

/// When it fails, and how often it did.
#[derive(Debug)]
pub struct Chance {
    is_on: AtomicBool,
    drawn: Mutex<SmallRng>,
    pub failed: AtomicU32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Done,
    Lost,
    DoneWithoutAnswer,
}

impl Chance {
    pub fn new(seed: u64) -> Arc<Chance> {
        let (is_on, failed) = (AtomicBool::new(false), AtomicU32::new(0));
        Arc::new(Chance { is_on, drawn: Mutex::new(SmallRng::seed_from_u64(seed)), failed })
    }

    /// From now on.
    pub fn begin(&self) {
        self.is_on.store(true, Ordering::SeqCst);
    }

    fn draw(&self) -> Fate {
        if !self.is_on.load(Ordering::SeqCst) {
            return Fate::Done;
        }
        let fate = match self.drawn.lock().unwrap().random_range(0..6) {
            0 => Fate::Lost,
            1 => Fate::DoneWithoutAnswer,
            _ => return Fate::Done,
        };
        self.failed.fetch_add(1, Ordering::SeqCst);
        fate
    }

    async fn write<T>(&self, writing: impl Future<Output = Result<T>>) -> Result<T> {
        match self.draw() {
            Fate::Done => writing.await,
            Fate::Lost => Err(away()),
            Fate::DoneWithoutAnswer => writing.await.and_then(|_| Err(away())),
        }
    }
}

fn away() -> object_store::Error {
    object_store::Error::Generic { store: "flaky", source: "it was away".into() }
}

/// The store, in memory.
#[derive(Debug)]
pub struct Flaky {
    inner: InMemory,
    chance: Arc<Chance>,
}

impl Flaky {
    pub fn by(chance: &Arc<Chance>) -> Arc<Flaky> {
        Arc::new(Flaky { inner: InMemory::new(), chance: chance.clone() })
    }
}

impl fmt::Display for Flaky {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("flaky")
    }
}

#[async_trait]
impl ObjectStore for Flaky {
    async fn put_opts(&self, to: &Path, content: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.chance.write(self.inner.put_opts(to, content, options)).await
    }

    async fn put_multipart_opts(&self, to: &Path, options: PutMultipartOptions) -> Result<Box<dyn MultipartUpload>> {
        let inner = self.chance.write(self.inner.put_multipart_opts(to, options)).await?;
        Ok(Box::new(Parts { inner, chance: self.chance.clone() }))
    }

    async fn get_opts(&self, from: &Path, options: GetOptions) -> Result<GetResult> {
        self.inner.get_opts(from, options).await
    }

    fn delete_stream(&self, files: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.inner.delete_stream(files)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.inner.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.chance.write(self.inner.copy_opts(from, to, options)).await
    }
}

/// A file that comes in parts.
#[derive(Debug)]
struct Parts {
    inner: Box<dyn MultipartUpload>,
    chance: Arc<Chance>,
}

#[async_trait]
impl MultipartUpload for Parts {
    fn put_part(&mut self, part: PutPayload) -> UploadPart {
        match self.chance.draw() {
            Fate::Done => self.inner.put_part(part),
            Fate::Lost => std::future::ready(Err(away())).boxed(),
            Fate::DoneWithoutAnswer => self.inner.put_part(part).map(|_| Err(away())).boxed(),
        }
    }

    async fn complete(&mut self) -> Result<PutResult> {
        let chance = self.chance.clone();
        chance.write(self.inner.complete()).await
    }

    async fn abort(&mut self) -> Result<()> {
        self.inner.abort().await
    }
}
