//! HTTP/1.1 by hand, so that thousands of clients cost next to nothing: one request on a connection of its own, and a body
//! that is read as it comes.

use std::fmt::Write;

use anyhow::{Context, Result, ensure};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// The most that is read at once.
const PIECE: usize = 16 << 10;
const END_OF_HEAD: &[u8] = b"\r\n\r\n";

/// An answer whose head has been read.
pub struct Answer {
    pub status: u16,
    stream: TcpStream,
    /// Where the body comes in chunks.
    chunks: Option<Chunks>,
    /// What came together with the head.
    rest: Vec<u8>,
    piece: Box<[u8]>,
}

/// What is sent with a request.
#[derive(Clone, Copy)]
pub struct Body<'a> {
    /// Its media type.
    pub kind: &'a str,
    pub bytes: &'a [u8],
}

impl<'a> Body<'a> {
    /// One that is JSON.
    pub fn json(text: &'a str) -> Body<'a> {
        Body { kind: "application/json", bytes: text.as_bytes() }
    }
}

/// Sends a request of the account with this token.
pub async fn request(address: &str, token: &str, method: &str, path: &str, body: Option<Body<'_>>) -> Result<Answer> {
    let mut text = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\
         accept: application/json, text/event-stream\r\n"
    );
    if let Some(body) = body {
        write!(text, "content-type: {}\r\ncontent-length: {}\r\n", body.kind, body.bytes.len())?;
    }
    text.push_str("\r\n");
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(text.as_bytes()).await?;
    if let Some(body) = body {
        // Whoever refuses a body unread may close at once; the answer is there all the same.
        let _ = stream.write_all(body.bytes).await;
    }
    let (mut head, mut piece) = (Vec::new(), vec![0; PIECE].into_boxed_slice());
    let end = loop {
        let length = stream.read(&mut piece).await?;
        ensure!(length > 0, "the answer to {path} ended before it began");
        head.extend_from_slice(&piece[..length]);
        if let Some(at) = head.windows(END_OF_HEAD.len()).position(|bytes| bytes == END_OF_HEAD) {
            break at + END_OF_HEAD.len();
        }
    };
    let rest = head.split_off(end);
    let head = String::from_utf8_lossy(&head).to_lowercase();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).context("no status")?;
    let chunks = head.contains("\r\ntransfer-encoding: chunked").then_some(Chunks::Size(0));
    Ok(Answer { status, stream, chunks, rest, piece })
}

/// The whole body of an answer that has to be a good one.
pub async fn text(address: &str, token: &str, method: &str, path: &str, body: Option<&str>) -> Result<String> {
    let mut answer = request(address, token, method, path, body.map(Body::json)).await?;
    let mut text = Vec::new();
    while answer.read(&mut text).await? {}
    let text = String::from_utf8(text)?;
    ensure!((200..300).contains(&answer.status), "{method} {path}: {} {text}", answer.status);
    Ok(text)
}

impl Answer {
    /// Adds more of the body to `text`; false at its end.
    pub async fn read(&mut self, text: &mut Vec<u8>) -> Result<bool> {
        if matches!(self.chunks, Some(Chunks::Over)) {
            return Ok(false);
        }
        let rest = std::mem::take(&mut self.rest);
        let bytes = match rest.is_empty() {
            false => &rest[..],
            true => {
                let length = self.stream.read(&mut self.piece).await?;
                &self.piece[..length]
            }
        };
        if bytes.is_empty() {
            return Ok(false);
        }
        match &mut self.chunks {
            Some(chunks) => chunks.take(bytes, text),
            None => text.extend_from_slice(bytes),
        }
        Ok(true)
    }
}

/// Where a body in chunks is.
enum Chunks {
    /// In the line with the size, so much of which is known.
    Size(usize),
    /// Before so many bytes of a chunk.
    Data(usize),
    /// In the line end after a chunk.
    Between,
    Over,
}

impl Chunks {
    fn take(&mut self, mut bytes: &[u8], text: &mut Vec<u8>) {
        while let [first, after @ ..] = bytes {
            match self {
                Chunks::Size(size) => {
                    bytes = after;
                    if let Some(digit) = char::from(*first).to_digit(16) {
                        *size = *size * 16 + digit as usize;
                    } else if *first == b'\n' {
                        *self = if *size == 0 { Chunks::Over } else { Chunks::Data(*size) };
                    }
                }
                Chunks::Data(left) => {
                    let (data, after) = bytes.split_at(bytes.len().min(*left));
                    bytes = after;
                    text.extend_from_slice(data);
                    *left -= data.len();
                    if *left == 0 {
                        *self = Chunks::Between;
                    }
                }
                Chunks::Between => {
                    bytes = after;
                    if *first == b'\n' {
                        *self = Chunks::Size(0);
                    }
                }
                Chunks::Over => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_put_together_wherever_they_are_cut() {
        let body = b"5\r\nhello\r\n11\r\n, all over there.\r\n0\r\n\r\n";
        for cut in 0..body.len() {
            let (mut chunks, mut text) = (Chunks::Size(0), Vec::new());
            chunks.take(&body[..cut], &mut text);
            chunks.take(&body[cut..], &mut text);
            assert_eq!(text, b"hello, all over there.", "cut at {cut}");
            assert!(matches!(chunks, Chunks::Over));
        }
    }
}
