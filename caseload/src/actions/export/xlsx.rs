//! An Excel workbook of one sheet, made on a thread of its own while its pieces come and go through channels: neither the
//! rows nor the workbook are ever in memory as a whole. Texts are written as texts, so none of them is a formula.

use std::io::{self, Write};

use bytes::Bytes;
use model::TaskErrorCode;
use queue::Failure;
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use tokio::sync::mpsc;

use super::{
    columns::{ExportColumn, Kind},
    parts::{FilePart, HashedFile},
};
use crate::files::store::Files;

/// The longest text of a cell, in characters.
const CELL: usize = 32_767;
/// Bytes that leave the thread at once.
const PIECE: usize = 1 << 20;

/// Makes the workbook of the parts, which are CSV without titles.
pub async fn compose(
    files: &Files,
    columns: Vec<ExportColumn>,
    parts: Vec<FilePart>,
    to: &mut HashedFile,
) -> Result<(), Failure> {
    // An end that is said tells a whole input from one that was given up.
    let (rows, input) = mpsc::channel::<Option<Bytes>>(2);
    let (output, mut pieces) = mpsc::channel::<Bytes>(4);
    let making = tokio::task::spawn_blocking(move || make(&columns, input, output));
    let feed = async move {
        for part in parts {
            let content = part.read(files).await?;
            if rows.send(Some(content)).await.is_err() {
                return Ok(());
            }
        }
        let _ = rows.send(None).await;
        Ok::<_, Failure>(())
    };
    let take = async {
        while let Some(piece) = pieces.recv().await {
            to.put(piece).await?;
        }
        Ok(())
    };
    tokio::try_join!(feed, take)?;
    let wrong = |error: String| Failure::transient(TaskErrorCode::Internal, error);
    making.await.map_err(|error| wrong(error.to_string()))?.map_err(|error| wrong(error.to_string()))
}

fn make(
    columns: &[ExportColumn],
    mut input: mpsc::Receiver<Option<Bytes>>,
    output: mpsc::Sender<Bytes>,
) -> Result<(), XlsxError> {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet_with_constant_memory()?;
    sheet.set_name("People")?;
    sheet.set_freeze_panes(1, 0)?;
    let (bold, day) = (Format::new().set_bold(), Format::new().set_num_format("yyyy-mm-dd"));
    for (number, column) in (0..).zip(columns) {
        sheet.set_column_width(number, width(column))?;
    }
    for (number, column) in (0..).zip(columns) {
        sheet.write_string_with_format(0, number, column.title, &bold)?;
    }
    let mut row = 1;
    loop {
        match input.blocking_recv() {
            Some(Some(part)) => {
                let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&part[..]);
                for record in reader.records() {
                    let record = record.map_err(|error| XlsxError::IoError(io::Error::other(error)))?;
                    for (number, (column, text)) in (0..).zip(columns.iter().zip(&record)) {
                        write(sheet, (row, number), column, text, &day)?;
                    }
                    row += 1;
                }
            }
            Some(None) => break,
            None => return Err(XlsxError::IoError(io::Error::other("given up before the end"))),
        }
    }
    let mut pipe = io::BufWriter::with_capacity(PIECE, Pipe(output));
    workbook.save_to_writer(&mut pipe)?;
    Ok(pipe.flush()?)
}

fn write(
    sheet: &mut Worksheet,
    (row, number): (u32, u16),
    column: &ExportColumn,
    text: &str,
    day: &Format,
) -> Result<(), XlsxError> {
    if text.is_empty() {
        return Ok(());
    }
    if column.kind == Kind::Day
        && let Ok(date) = ExcelDateTime::parse_from_str(text)
    {
        sheet.write_datetime_with_format(row, number, &date, day)?;
        return Ok(());
    }
    match text.char_indices().nth(CELL) {
        Some((end, _)) => sheet.write_string(row, number, &text[..end])?,
        None => sheet.write_string(row, number, text)?,
    };
    Ok(())
}

fn width(column: &ExportColumn) -> f64 {
    match (column.kind, column.title) {
        (Kind::Day, _) => 12.0,
        (Kind::Fields, _) => 40.0,
        (Kind::Text, title) if title.ends_with("email") => 32.0,
        (Kind::Text, _) => 18.0,
    }
}

/// What is written goes to whoever waits at the other end.
struct Pipe(mpsc::Sender<Bytes>);

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let sent = self.0.blocking_send(Bytes::copy_from_slice(bytes));
        sent.map_err(|_| io::ErrorKind::BrokenPipe.into()).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
