//! Help: all pages by what they are about, and one page for each job. The server renders them.

mod article;
mod blocks;
mod contents;
mod index;
mod pictures;

pub use article::page;
pub use index::index;
