//! What the bytes of an upload are known by: a hash of each of its blocks, so that every part that is read is compared before
//! it is used, wherever reading begins. Whoever can write to the store does not decide what is imported.

use sha2::{Digest, Sha256};

use crate::files::store;

/// The bytes of a block.
pub const BLOCK: usize = 256 * 1024;

/// The hashes of what has come in so far.
#[derive(Default)]
pub struct Blocks {
    whole: Vec<String>,
    open: Sha256,
    /// Bytes of the open block.
    filled: usize,
}

impl Blocks {
    pub fn take(&mut self, mut piece: &[u8]) {
        while !piece.is_empty() {
            let (now, rest) = piece.split_at(piece.len().min(BLOCK - self.filled));
            self.open.update(now);
            self.filled += now.len();
            piece = rest;
            if self.filled == BLOCK {
                self.close();
            }
        }
    }

    fn close(&mut self) {
        let hash = std::mem::take(&mut self.open).finalize();
        self.whole.push(hash.iter().map(|byte| format!("{byte:02x}")).collect());
        self.filled = 0;
    }

    /// All of them, the last of which may be of less.
    pub fn end(mut self) -> Vec<String> {
        if self.filled > 0 {
            self.close();
        }
        self.whole
    }
}

/// Whether these bytes are that block. Of a file that was uploaded before blocks were written down nothing is known, and all is so.
pub fn is_block(blocks: &[String], number: usize, bytes: &[u8]) -> bool {
    blocks.is_empty() || blocks.get(number).is_some_and(|known| *known == store::hash(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_the_same_however_a_file_comes_in() {
        let file: Vec<u8> = (0..BLOCK * 2 + 10).map(|n| u8::try_from(n % 251).unwrap()).collect();
        let of = |size: usize| {
            let mut blocks = Blocks::default();
            file.chunks(size).for_each(|piece| blocks.take(piece));
            blocks.end()
        };
        let blocks = of(file.len());
        assert_eq!((blocks.len(), of(1_000) == blocks), (3, true));
        assert!(is_block(&blocks, 1, &file[BLOCK..2 * BLOCK]) && is_block(&blocks, 2, &file[2 * BLOCK..]));
        assert!(!is_block(&blocks, 1, &file[..BLOCK]) && !is_block(&blocks, 3, &[]));
        assert!(is_block(&[], 0, &file), "an import from before an upgrade goes on");
    }
}
