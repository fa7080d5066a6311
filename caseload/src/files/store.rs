//! Files that tasks make, in an object store. A file is there once it has been written whole; what a task has published is
//! said by its row, not by what lies here.

use std::{ops::Range, sync::Arc};

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream::BoxStream};
use model::{TaskErrorCode, TaskId};
use object_store::{
    ObjectStore, ObjectStoreExt, buffered::BufWriter, local::LocalFileSystem, memory::InMemory, path::Path,
};
use queue::Failure;
use sha2::{Digest, Sha256};

/// The smallest piece of a file that every store takes, in bytes.
const PIECE: usize = 5 * 1024 * 1024;

/// Whatever a store can refuse.
pub type Result<T, E = object_store::Error> = std::result::Result<T, E>;

/// Where files lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileStore {
    /// In a folder of this machine, relative to the working folder or not.
    Folder(String),
    /// In a store that speaks S3, for several machines.
    S3(S3),
}

/// Part of a bucket.
#[derive(Clone, PartialEq, Eq)]
pub struct S3 {
    pub bucket: String,
    /// What every name begins with; may be empty.
    pub prefix: String,
    /// `https://…`, or `http://…` in a network that nobody else is in; Amazon's own when absent.
    pub endpoint: Option<String>,
    pub region: String,
    /// Its id and its secret; what the machine is allowed when absent.
    pub key: Option<(String, String)>,
}

impl std::fmt::Debug for S3 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("S3").field("bucket", &self.bucket).field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

/// What a task knows a content by, in hexadecimal.
pub fn hash(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A cheap handle on the store.
#[derive(Clone)]
pub struct Files {
    store: Arc<dyn ObjectStore>,
    /// Where they are, if on a disk of this machine.
    folder: Option<Arc<std::path::Path>>,
}

impl Files {
    /// Opens a place; a folder is made when it is missing. The error is for whoever wrote the settings.
    pub fn open(place: &FileStore) -> std::result::Result<Files, String> {
        match place {
            FileStore::Folder(folder) => Files::in_folder(folder),
            FileStore::S3(s3) => Ok(Files { store: open_s3(s3)?, folder: None }),
        }
    }

    fn in_folder(folder: &str) -> std::result::Result<Files, String> {
        std::fs::create_dir_all(folder).map_err(|error| format!("cannot make the folder {folder}: {error}"))?;
        let store =
            LocalFileSystem::new_with_prefix(folder).map_err(|error| format!("cannot use {folder}: {error}"))?;
        // A published file must outlive a power cut, like the row that speaks of it.
        let store = Arc::new(store.with_fsync(true).with_automatic_cleanup(true));
        Ok(Files { store, folder: Some(std::path::Path::new(folder).into()) })
    }

    /// A store that is gone with its last handle, where no export is meant to last.
    pub fn in_memory() -> Files {
        Files::kept_by(Arc::new(InMemory::new()))
    }

    /// In a store of the caller's. For tests.
    pub fn kept_by(store: Arc<dyn ObjectStore>) -> Files {
        Files { store, folder: None }
    }

    /// The folder that they are in, if on a disk of this machine.
    pub fn folder(&self) -> Option<&std::path::Path> {
        self.folder.as_deref()
    }

    /// Where a file of a task lies.
    pub fn of(task: TaskId, name: &str) -> Path {
        Path::from(format!("{task}/{name}"))
    }

    pub async fn write(&self, path: &Path, content: Bytes) -> Result<()> {
        self.store.put(path, content.into()).await.map(|_| ())
    }

    /// The whole of a small file that a task has written, if it is still what the task knows it by. Whoever can write to the
    /// store does not decide what a task goes on with.
    pub async fn read_as_written(&self, path: &Path, sha256: &str) -> std::result::Result<Bytes, Failure> {
        let refused = |error: object_store::Error| Failure::transient(TaskErrorCode::Files, error.to_string());
        let content = self.store.get(path).await.map_err(refused)?.bytes().await.map_err(refused)?;
        match hash(&content) == sha256 {
            true => Ok(content),
            false => Err(Failure::permanent(TaskErrorCode::Files, format!("{path} is not what was written"))),
        }
    }

    /// A part of a file, piece by piece. On a disk, of a file that was cut off meanwhile there would be empty pieces for ever: it
    /// ends as an error.
    pub async fn stream(&self, path: &Path, range: Range<u64>) -> Result<BoxStream<'static, Result<Bytes>>> {
        let options = object_store::GetOptions { range: Some(range.into()), ..Default::default() };
        let pieces = self.store.get_opts(path, options).await?.into_stream();
        if self.folder.is_none() {
            return Ok(pieces);
        }
        let of = path.clone();
        Ok(pieces
            .map(move |piece| piece.and_then(|piece| if piece.is_empty() { Err(cut_off(&of)) } else { Ok(piece) }))
            .boxed())
    }

    /// How long a file is, in bytes.
    pub async fn size(&self, path: &Path) -> Result<u64> {
        Ok(self.store.head(path).await?.size)
    }

    /// A file that is written piece by piece and is there once it is shut down. Few pieces are in memory at once.
    pub fn writer(&self, path: &Path) -> BufWriter {
        BufWriter::with_capacity(self.store.clone(), path.clone(), PIECE).with_max_concurrency(1)
    }

    /// The tasks that have files here.
    pub async fn tasks(&self) -> Result<Vec<TaskId>> {
        let folders = self.store.list_with_delimiter(None).await?.common_prefixes;
        Ok(folders.iter().filter_map(|folder| folder.filename()?.parse().ok()).collect())
    }

    /// Deletes the files that attempts of a task up to this one have made: those whose name ends in its number.
    pub async fn delete_of_attempts(&self, task: TaskId, last: i32) -> Result<()> {
        let attempt = |path: &Path| -> Option<i32> {
            let (stem, _) = path.filename()?.split_once('.')?;
            stem.rsplit('-').next()?.parse().ok()
        };
        let found = self.find(task).await?.into_iter();
        self.delete(found.filter(|path| attempt(path).is_some_and(|n| n <= last)).collect()).await.map(drop)
    }

    /// Deletes the files of a task but this one; how many.
    pub async fn delete_but(&self, task: TaskId, kept: Option<&str>) -> Result<u64> {
        let kept = kept.map(Path::from);
        let found = self.find(task).await?.into_iter();
        let count = self.delete(found.filter(|path| Some(path) != kept.as_ref()).collect()).await?;
        Ok(count + self.delete_unfinished(task).await?)
    }

    /// The files of a task.
    async fn find(&self, task: TaskId) -> Result<Vec<Path>> {
        let prefix = Path::from(task.to_string());
        self.store.list(Some(&prefix)).map_ok(|file| file.location).try_collect().await
    }

    /// Deletes these; how many. Another process may have been faster, which is as well.
    async fn delete(&self, paths: Vec<Path>) -> Result<u64> {
        let paths = futures::stream::iter(paths.into_iter().map(Ok)).boxed();
        let mut gone = self.store.delete_stream(paths);
        let mut count = 0;
        while let Some(deleted) = gone.next().await {
            match deleted {
                Ok(_) => count += 1,
                Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(count)
    }

    /// Deletes what a process that was killed had begun to write for a task; how many. On a disk that lies beside the files under
    /// names that the store does not list, which end in a number sign and a number.
    async fn delete_unfinished(&self, task: TaskId) -> Result<u64> {
        let Some(folder) = self.folder.as_ref().map(|folder| folder.join(task.to_string())) else { return Ok(0) };
        let sweep = move || {
            let Ok(entries) = std::fs::read_dir(&folder) else { return 0 };
            let is_unfinished = |name: &str| name.rsplit_once('#').is_some_and(|(_, n)| n.parse::<u64>().is_ok());
            let unfinished = entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(is_unfinished));
            let gone = unfinished.filter(|entry| std::fs::remove_file(entry.path()).is_ok()).count() as u64;
            // Taken only when nothing is left in it.
            let _ = std::fs::remove_dir(&folder);
            gone
        };
        Ok(tokio::task::spawn_blocking(sweep).await.unwrap_or_default())
    }
}

fn cut_off(path: &Path) -> object_store::Error {
    object_store::Error::Generic { store: "files", source: format!("{path} is shorter than it was").into() }
}

#[cfg(feature = "s3")]
fn open_s3(s3: &S3) -> std::result::Result<Arc<dyn ObjectStore>, String> {
    use object_store::{aws::AmazonS3Builder, prefix::PrefixStore};
    // The store's client takes whichever is there; a second call changes nothing.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = AmazonS3Builder::new().with_bucket_name(&s3.bucket).with_region(&s3.region);
    if let Some(endpoint) = &s3.endpoint {
        builder = builder.with_endpoint(endpoint).with_allow_http(endpoint.starts_with("http://"));
    }
    if let Some((id, secret)) = &s3.key {
        builder = builder.with_access_key_id(id).with_secret_access_key(secret);
    }
    let store = builder.build().map_err(|error| error.to_string())?;
    Ok(match s3.prefix.is_empty() {
        true => Arc::new(store),
        false => Arc::new(PrefixStore::new(store, s3.prefix.as_str())),
    })
}

#[cfg(not(feature = "s3"))]
fn open_s3(_: &S3) -> std::result::Result<Arc<dyn ObjectStore>, String> {
    Err("this build of Docket has no S3 in it".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    testkit::tests!(on one thread; what_another_sweep_has_taken_away_since_the_look_is_no_error);

    async fn what_another_sweep_has_taken_away_since_the_look_is_no_error() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(&FileStore::Folder(folder.path().to_string_lossy().into_owned())).unwrap();
        let task = TaskId::from_u128(7);
        for name in ["people-1.csv", "people-2.csv", "people-3.csv"] {
            files.write(&Files::of(task, name), Bytes::from_static(b"people")).await.unwrap();
        }
        let looked = files.find(task).await.unwrap();
        files.delete_of_attempts(task, 2).await.unwrap();
        assert_eq!(files.delete(looked.clone()).await.unwrap(), 1, "the one that was left");
        assert_eq!((files.delete(looked).await.unwrap(), files.delete_but(task, None).await.unwrap()), (0, 0));
    }
}
