//! An upload read from the store a batch at a time, each of whole rows: it is never whole in memory, and can be read on from
//! where a former attempt came to.

use std::{ops::Range, sync::Arc};

use bytes::Bytes;
use futures::{StreamExt, stream::BoxStream};
use model::{
    TaskErrorCode,
    import::{Separator, UnreadLines},
};
use object_store::path::Path;
use queue::Failure;

use crate::files::store::{self, Files};
use crate::{
    import::read::block_hashes::{BLOCK, is_block},
    import::read::row_ends::{WholeRows, whole_rows},
};

/// The bytes of a batch, about.
const BATCH: usize = 256 * 1024;
/// The longest row, in bytes.
const LONGEST: usize = 2 * 1024 * 1024;

/// A place between two rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilePosition {
    /// In bytes.
    pub offset: u64,
    /// The number of the line that begins here.
    pub line: u64,
}

impl FilePosition {
    pub const START: FilePosition = FilePosition { offset: 0, line: 1 };
}

/// Whole rows.
pub struct Batch {
    pub at: FilePosition,
    pub bytes: Vec<u8>,
    /// Where the next one begins.
    pub next: FilePosition,
}

impl Batch {
    /// What is within a quote that is open where the batch ends: that is the end of the file, since other batches are cut between rows.
    pub fn unread(&self, separator: Separator) -> Option<UnreadLines> {
        let WholeRows { lines, before_open_quote, .. } = whole_rows(&self.bytes, true, separator);
        let ended = lines + u64::from(!self.bytes.ends_with(b"\n") && !self.bytes.ends_with(b"\r"));
        before_open_quote
            .map(|before| UnreadLines { line: self.at.line + before, rest: ended.saturating_sub(before + 1) })
    }
}

/// A file on its way in.
pub struct Batches {
    stream: BoxStream<'static, store::Result<Bytes>>,
    /// What each block has to be.
    blocks: Arc<[String]>,
    /// The block that comes next, and what of it has come.
    number: usize,
    block: Vec<u8>,
    /// Bytes of that block before the place where reading began.
    before: usize,
    /// What has come and was not given out.
    ahead: Vec<u8>,
    at: FilePosition,
    size: u64,
    separator: Separator,
}

impl Batches {
    /// Reads on from a place. What is read is compared with the hashes of the blocks that it lies in.
    pub async fn open(
        files: &Files,
        path: &Path,
        blocks: &Arc<[String]>,
        from: FilePosition,
        separator: Separator,
    ) -> Result<Batches, Failure> {
        let size = files.size(path).await.map_err(failure)?;
        if !blocks.is_empty() && size.div_ceil(BLOCK as u64) != blocks.len() as u64 {
            return Err(exchanged());
        }
        let start = from.offset - from.offset % BLOCK as u64;
        let stream = match from.offset < size {
            true => files.stream(path, Range { start, end: size }).await.map_err(failure)?.fuse().boxed(),
            false => futures::stream::empty().boxed(),
        };
        let (number, before) = ((start / BLOCK as u64) as usize, (from.offset - start) as usize);
        let (blocks, block, ahead) = (blocks.clone(), Vec::new(), Vec::new());
        Ok(Batches { stream, blocks, number, block, before, ahead, at: from, size, separator })
    }

    /// Where the next batch begins.
    pub fn at(&self) -> FilePosition {
        self.at
    }

    /// The next rows; none at the end.
    pub async fn next(&mut self) -> Result<Option<Batch>, Failure> {
        let mut wanted = BATCH;
        loop {
            let is_end = self.fill(wanted).await?;
            let WholeRows { length: cut, lines, before_open_quote } = whole_rows(&self.ahead, is_end, self.separator);
            if cut > 0 {
                let rest = self.ahead.split_off(cut);
                let bytes = std::mem::replace(&mut self.ahead, rest);
                let next = FilePosition { offset: self.at.offset + cut as u64, line: self.at.line + lines };
                let at = std::mem::replace(&mut self.at, next);
                return Ok(Some(Batch { at, bytes, next }));
            }
            if is_end {
                return Ok(None);
            }
            if wanted >= LONGEST {
                let (line, most) = (self.at.line, LONGEST / 1024 / 1024);
                let why = match before_open_quote {
                    Some(before) => format!(
                        "The quote that opens in line {} is not closed within {most} MB. Close it, and upload the file again.",
                        line + before
                    ),
                    None => format!("The row starting at line {line} is longer than {most} MB."),
                };
                return Err(Failure::permanent(TaskErrorCode::BadFile, why));
            }
            wanted *= 2;
        }
    }

    /// Reads until there are so many bytes; whether the file is at its end.
    async fn fill(&mut self, wanted: usize) -> Result<bool, Failure> {
        while self.ahead.len() < wanted {
            match self.stream.next().await {
                Some(piece) => {
                    let piece = piece.map_err(failure)?;
                    let mut rest = &piece[..];
                    while !rest.is_empty() {
                        let (now, after) = rest.split_at(rest.len().min(BLOCK - self.block.len()));
                        self.block.extend_from_slice(now);
                        rest = after;
                        if self.block.len() == BLOCK {
                            self.accept()?;
                        }
                    }
                }
                None if self.block.is_empty() => break,
                None => self.accept()?,
            }
        }
        let is_end = self.at.offset + self.ahead.len() as u64 >= self.size;
        // Somebody has cut it off since its size was asked for.
        if !is_end && self.ahead.len() < wanted { Err(exchanged()) } else { Ok(is_end) }
    }

    /// Takes over a block that is what it has to be.
    fn accept(&mut self) -> Result<(), Failure> {
        if !is_block(&self.blocks, self.number, &self.block) {
            return Err(exchanged());
        }
        self.ahead.extend_from_slice(&self.block[self.before..]);
        self.block.clear();
        (self.number, self.before) = (self.number + 1, 0);
        Ok(())
    }
}

/// What is in the store is not what came in.
fn exchanged() -> Failure {
    Failure::permanent(TaskErrorCode::Files, "The file was damaged in storage. Upload it again.")
}

/// A refusal of the store: it may be back in a while.
fn failure(error: object_store::Error) -> Failure {
    Failure::transient(TaskErrorCode::Files, error.to_string())
}
