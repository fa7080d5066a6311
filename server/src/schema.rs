//! Watches whether another process has brought the database to a schema that this version does not know, as happens while
//! versions are exchanged one process at a time. Then this one claims nothing more; what it runs and serves goes on until it
//! is exchanged itself.

use std::time::Duration;

use queue::{Database, Runtime};
use tokio_util::sync::CancellationToken;

/// Looks every so often, until `stop`.
pub async fn watch(db: &Database, runtime: &Runtime, every: Duration, stop: CancellationToken) {
    let mut abstains = false;
    while stop.run_until_cancelled(tokio::time::sleep(every)).await.is_some() {
        let newer = match migration::newer(db.reader()).await {
            Ok(newer) => newer,
            Err(error) => {
                tracing::debug!(%error, "cannot look at the schema");
                continue;
            }
        };
        if newer.is_some() == abstains {
            continue;
        }
        match (runtime.abstain(newer.is_some()).await, newer) {
            (Err(error), _) => tracing::warn!(%error, "cannot say whether this process takes tasks"),
            (Ok(()), Some(step)) => {
                abstains = true;
                tracing::warn!(step, "a newer version has changed the database; this one takes no more tasks");
            }
            (Ok(()), None) => {
                abstains = false;
                tracing::info!("the database is as this version knows it; taking tasks again");
            }
        }
    }
}
