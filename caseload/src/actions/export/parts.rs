//! Objects in the store: parts that are there, and the file that is made of them.

use model::TaskErrorCode;
use object_store::path::Path;
use queue::Failure;
use sha2::{Digest, Sha256};

use crate::files::store::Files;

/// An object of some of the rows.
pub struct FilePart {
    pub path: Path,
    /// Of what was written.
    pub sha256: String,
}

impl FilePart {
    pub async fn read(&self, files: &Files) -> Result<bytes::Bytes, Failure> {
        files.read_as_written(&self.path, &self.sha256).await
    }
}

/// A file on its way, with the hash of what was written.
pub struct HashedFile {
    pub writer: object_store::buffered::BufWriter,
    pub hash: Sha256,
    pub size: u64,
}

impl HashedFile {
    pub async fn put(&mut self, piece: bytes::Bytes) -> Result<(), Failure> {
        self.hash.update(&piece);
        self.size += piece.len() as u64;
        self.writer.put(piece).await.map_err(failure)
    }
}

/// A refusal of the store: it may be back in a while.
pub fn failure(error: object_store::Error) -> Failure {
    Failure::transient(TaskErrorCode::Files, error.to_string())
}
