//! The unreadable lines of a file as a file of their own, to be put right: the number of each, the reason, and its cells. The lines
//! are found out first, which takes their numbers and reasons alone, and then read from the store batch by batch.

use std::collections::BTreeMap;

use model::{
    LedgerQuery, TaskId,
    import::LineOutcome,
    ledger::{FailReason, LedgerFilter},
    parameters::MAX_LIMIT,
};

use crate::{
    Actor, Error, Result,
    caseload::Imports,
    files::{spreadsheet::Spreadsheet, store::Files},
    import::{
        file_lines::{self, FileHead},
        prepare::{count, matching::Matching},
        read::batches::Batches,
        rows::mapping::Mapping,
        spec::{ImportSpec, UPLOAD},
        upload::{RowCounts, UploadedFile, unread},
    },
};

/// The most lines of a task that are given.
const MOST: usize = 20_000;

/// Unreadable lines that are read part by part.
pub struct UnreadableLines {
    /// What is wrong with each of those that are still to come.
    reasons: BTreeMap<u64, String>,
    /// The file, while it is there.
    file: Option<(FileHead, Batches)>,
    is_begun: bool,
}

impl UnreadableLines {
    /// The next part, as CSV; nothing at the end. The first one has the names of the columns.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>> {
        let mut sheet = Spreadsheet::of_any_width();
        if !std::mem::replace(&mut self.is_begun, true) {
            let names = self.file.iter().flat_map(|(head, _)| head.names.iter()).map(String::from_utf8_lossy);
            sheet.line(["Line".into(), "Reason".into()].into_iter().chain(names)).map_err(unwritten)?;
            return sheet.finish().map(Some).map_err(unwritten);
        }
        if self.reasons.is_empty() {
            return Ok(None);
        }
        let batch = match &mut self.file {
            Some((_, batches)) => batches.next().await.map_err(unread)?,
            None => None,
        };
        let Some((batch, (head, _))) = batch.zip(self.file.as_ref()) else {
            // Of those that are read no more there are the numbers and the reasons.
            for (line, reason) in std::mem::take(&mut self.reasons) {
                sheet.line([line.to_string(), reason]).map_err(unwritten)?;
            }
            return sheet.finish().map(Some).map_err(unwritten);
        };
        let mut written = Ok(());
        file_lines::each(&batch, head.separator, |row| {
            if let Some(reason) = self.reasons.remove(&row.line)
                && written.is_ok()
            {
                let cells = row.record.iter().map(String::from_utf8_lossy);
                written = sheet.line([row.line.to_string().into(), reason.into()].into_iter().chain(cells));
            }
        })
        .map_err(unread)?;
        written.and_then(|()| sheet.finish()).map(Some).map_err(unwritten)
    }
}

fn unwritten(error: csv::Error) -> Error {
    Error::Internal(error.to_string())
}

impl Imports<'_> {
    /// Those of a file that is being prepared, as it is matched now.
    pub async fn unreadable(self, actor: &Actor, id: TaskId) -> Result<UnreadableLines> {
        let kept = self.kept(actor, id).await?;
        let matching: &Matching = &kept.matching;
        let mut reasons = BTreeMap::new();
        if matching.wrong(&kept.profile).is_empty() {
            let _turn = self.0.inner.turns.wait(actor.person_id).await;
            let each = |line: &model::import::ReadLine| {
                if line.what == LineOutcome::Unreadable {
                    reasons.insert(line.line, line.detail.clone());
                }
            };
            let zone = actor.time_zone().unwrap_or(chrono_tz::UTC);
            count::each(self.0.db(), self.0.files(), &kept.uploaded, &kept.profile, matching, zone, each).await?;
        }
        let (path, separator) = (Files::of(id, UPLOAD), Some(kept.profile.separator));
        let head = file_lines::head(self.0.files(), &path, &kept.uploaded.blocks, separator).await;
        let head = head.map_err(unread)?.map_err(|error| Error::Internal(error.to_string()))?;
        self.lines(&kept.uploaded, reasons, Some(head)).await
    }

    /// Those that failed in an import that has run. Their cells are there for as long as the file is.
    pub async fn failed_lines(self, actor: &Actor, id: TaskId) -> Result<UnreadableLines> {
        self.may_import(actor)?;
        let mut query =
            LedgerQuery { outcome: Some(LedgerFilter::Failed), limit: Some(MAX_LIMIT), ..LedgerQuery::default() };
        let mut reasons = BTreeMap::new();
        loop {
            let (rows, next) = self.0.tasks().ledger_part(actor, id, &query).await?;
            // Whoever has been erased since is not read again.
            for row in rows.into_iter().filter(|row| row.reason.as_deref() != Some(FailReason::Erased.name())) {
                reasons.insert(row.position.cast_unsigned(), row.reason_label.unwrap_or_default());
            }
            query.after = next;
            if query.after.is_none() || reasons.len() >= MOST {
                break;
            }
        }
        let task = self.0.queue().task(id).await?;
        let spec = task.as_ref().and_then(ImportSpec::of);
        let spec = spec.ok_or_else(|| Error::from(model::Problem::not_found("import")))?;
        self.0.tasks().ledger_downloaded(actor, id, &query).await?;
        let (rows, size) = (RowCounts::default(), 0);
        let file = UploadedFile { id, rows, size, blocks: spec.blocks.into() };
        let separator = spec.mapping.parse().map_or(None, |mapping: Mapping| mapping.separator);
        let head = file_lines::head(self.0.files(), &Files::of(id, UPLOAD), &file.blocks, separator).await;
        self.lines(&file, reasons, head.ok().and_then(Result::ok)).await
    }

    async fn lines(
        self,
        file: &UploadedFile,
        reasons: BTreeMap<u64, String>,
        head: Option<FileHead>,
    ) -> Result<UnreadableLines> {
        let file = match head {
            Some(head) => {
                let (files, path) = (self.0.files(), Files::of(file.id, UPLOAD));
                let batches = Batches::open(files, &path, &file.blocks, head.body, head.separator).await;
                Some((head, batches.map_err(unread)?))
            }
            None => None,
        };
        Ok(UnreadableLines { reasons, file, is_begun: false })
    }
}
