//! Files that tasks make, in an object store. A file is there once it has been written whole; what a task has published is
//! said by its row, not by what lies here.

use std::{ops::Range, sync::Arc};

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream::BoxStream};
use object_store::{
    ObjectStore, ObjectStoreExt, buffered::BufWriter, local::LocalFileSystem, memory::InMemory, path::Path,
};
use uuid::Uuid;

/// Whatever a store can refuse.
pub type Result<T, E = object_store::Error> = std::result::Result<T, E>;

/// A cheap handle on the store.
#[derive(Clone)]
pub struct Files {
    store: Arc<dyn ObjectStore>,
    /// Where they are, if on a disk of this machine.
    folder: Option<Arc<std::path::Path>>,
}

impl Files {
    /// Opens `file://FOLDER`, relative to the working folder or not; the folder is made when it is missing. The error is for
    /// whoever wrote the address.
    pub fn open(url: &str) -> std::result::Result<Files, String> {
        let folder = url.strip_prefix("file://").filter(|folder| !folder.is_empty());
        let folder = folder.ok_or_else(|| "file://FOLDER is needed".to_owned())?;
        std::fs::create_dir_all(folder).map_err(|error| format!("cannot make the folder {folder}: {error}"))?;
        let store =
            LocalFileSystem::new_with_prefix(folder).map_err(|error| format!("cannot use {folder}: {error}"))?;
        // A published file must outlive a power cut, like the row that speaks of it.
        let store = Arc::new(store.with_fsync(true).with_automatic_cleanup(true));
        Ok(Files { store, folder: Some(std::path::Path::new(folder).into()) })
    }

    /// A store that is gone with its last handle, where no export is meant to last.
    pub fn in_memory() -> Files {
        Files { store: Arc::new(InMemory::new()), folder: None }
    }

    /// The folder that they are in, if on a disk of this machine.
    pub fn folder(&self) -> Option<&std::path::Path> {
        self.folder.as_deref()
    }

    /// Where a file of a task lies.
    pub fn of(task: Uuid, name: &str) -> Path {
        Path::from(format!("{task}/{name}"))
    }

    pub async fn write(&self, path: &Path, content: Bytes) -> Result<()> {
        self.store.put(path, content.into()).await.map(|_| ())
    }

    /// The whole of a small file.
    pub async fn read(&self, path: &Path) -> Result<Bytes> {
        self.store.get(path).await?.bytes().await
    }

    /// A part of a file, piece by piece.
    pub async fn stream(&self, path: &Path, range: Range<u64>) -> Result<BoxStream<'static, Result<Bytes>>> {
        let options = object_store::GetOptions { range: Some(range.into()), ..Default::default() };
        Ok(self.store.get_opts(path, options).await?.into_stream())
    }

    /// A file that is written piece by piece and is there once it is shut down.
    pub fn writer(&self, path: &Path) -> BufWriter {
        BufWriter::new(self.store.clone(), path.clone())
    }

    /// The tasks that have files here.
    pub async fn tasks(&self) -> Result<Vec<Uuid>> {
        let folders = self.store.list_with_delimiter(None).await?.common_prefixes;
        Ok(folders.iter().filter_map(|folder| folder.filename()?.parse().ok()).collect())
    }

    /// Deletes the files that attempts of a task up to this one have made: those whose name ends in its number.
    pub async fn delete_of_attempts(&self, task: Uuid, last: i32) -> Result<()> {
        let found: Vec<_> = self.store.list(Some(&Path::from(task.to_string()))).try_collect().await?;
        let attempt = |path: &Path| -> Option<i32> {
            let (stem, _) = path.filename()?.split_once('.')?;
            stem.rsplit('-').next()?.parse().ok()
        };
        let old = found.into_iter().map(|file| file.location).filter(|path| attempt(path).is_some_and(|n| n <= last));
        let old: Vec<_> = old.map(Ok).collect();
        self.store.delete_stream(futures::stream::iter(old).boxed()).try_for_each(async |_| Ok(())).await
    }

    /// Deletes the files of a task but this one; how many.
    pub async fn delete_but(&self, task: Uuid, kept: Option<&str>) -> Result<u64> {
        let kept = kept.map(Path::from);
        let found: Vec<_> = self.store.list(Some(&Path::from(task.to_string()))).try_collect().await?;
        let surplus = found.into_iter().map(|file| file.location).filter(move |path| Some(path) != kept.as_ref());
        let gone = self.store.delete_stream(futures::stream::iter(surplus.map(Ok)).boxed());
        gone.try_fold(0, async |count, _| Ok(count + 1)).await
    }
}
