//! Where a file begins: what its columns seem to be, with whichever saved matching fits them, and what importing it would do.

use model::{MatchingId, Problem, TaskId, import::Separator};

use crate::{
    Actor, Result,
    caseload::Imports,
    import::{
        prepare::{
            count::{CountedImport, count},
            guess::guess,
            kept::{Kept, NewFile},
            look::look,
            matching::{Matching, saved},
            profile::Profile,
        },
        upload::{Upload, UploadedFile, shortened},
    },
};

/// What a file is called that came without a name.
const UNNAMED: &str = "file";

/// What a file begins with.
struct Beginning {
    profile: Profile,
    matching: Matching,
    begun_with: Option<MatchingId>,
}

impl Imports<'_> {
    /// Keeps an uploaded file with what its columns seem to be, and counts what importing it would do.
    pub async fn prepare(self, actor: &Actor, file: &str, mut upload: Upload) -> Result<TaskId> {
        match self.prepare_closed(actor, file, &mut upload).await {
            Ok(id) => Ok(id),
            Err(error) => {
                upload.abandon().await;
                Err(error)
            }
        }
    }

    async fn prepare_closed(self, actor: &Actor, file: &str, upload: &mut Upload) -> Result<TaskId> {
        self.may_import(actor)?;
        if upload.is_empty() && !file.is_empty() {
            let why = format!("{} is empty. Choose a file with column names and lines.", shortened(file));
            return Err(Problem::field("file", "empty", why).into());
        }
        let file = if file.is_empty() { UNNAMED } else { file };
        let uploaded = upload.close().await?;
        let _turn = self.0.inner.turns.wait(actor.person_id).await;
        let Beginning { profile, matching, begun_with } = self.begin(actor, &uploaded, None).await?;
        let counted = self.counted(actor, &uploaded, &profile, &matching).await?;
        let id = uploaded.id;
        self.add(actor, &NewFile { name: shortened(file), uploaded, profile, matching, begun_with, counted }).await?;
        Ok(id)
    }

    /// Reads the file anew by another separator: what its columns are is found out, and nothing is counted yet.
    pub(super) async fn read_again(self, actor: &Actor, kept: &mut Kept, separator: Separator) -> Result<()> {
        let Beginning { profile, matching, begun_with } = self.begin(actor, &kept.uploaded, Some(separator)).await?;
        kept.file.rows = kept.uploaded.rows.by(separator);
        (kept.profile, kept.matching, kept.begun_with, kept.counted) = (profile, matching, begun_with, None);
        Ok(())
    }

    async fn begin(self, actor: &Actor, file: &UploadedFile, separator: Option<Separator>) -> Result<Beginning> {
        let db = self.0.db();
        let profile = guess(db, look(self.0.files(), file, separator).await?).await?;
        let (matching, begun_with) = match saved::fitting(db, actor.person_id, &profile).await? {
            Some((id, matching)) => (matching.for_file(&profile), Some(id)),
            None => (Matching::guessed(&profile), None),
        };
        Ok(Beginning { profile, matching, begun_with })
    }

    /// What importing would do, unless something is wrong with the matching.
    pub(super) async fn counted(
        self,
        actor: &Actor,
        file: &UploadedFile,
        profile: &Profile,
        matching: &Matching,
    ) -> Result<Option<CountedImport>> {
        if !matching.wrong(profile).is_empty() {
            return Ok(None);
        }
        let zone = actor.time_zone().unwrap_or(chrono_tz::UTC);
        count(self.0.db(), self.0.files(), file, profile, matching, zone).await.map(Some)
    }
}
