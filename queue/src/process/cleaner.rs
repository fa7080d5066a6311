//! Tidies up after messages that were lost and processes that were. It says again what has been due for a while and nobody
//! has taken, and applies the recovery policy to tasks whose process is gone and that nobody has taken back. Both are found by
//! polling and by the sweeps of every process as well; this is the net below them. Two of them at once do no harm.

use async_trait::async_trait;
use model::counted;

use crate::{Result, Runtime, lock::Lock, schedule::Work};

/// A round of the cleaner, as a schedule does it.
pub struct Clean(pub Runtime);

#[async_trait]
impl Work for Clean {
    async fn fire(&self, _: &Lock) -> Result<String> {
        let announced = self.0.say_again().await?;
        let put_back = self.0.take_back_silent().await?;
        let said = [
            (announced > 0).then(|| counted(announced, "task announced again", "tasks announced again")),
            (put_back > 0).then(|| format!("{put_back} put back in the queue")),
        ];
        let said: Vec<String> = said.into_iter().flatten().collect();
        Ok(if said.is_empty() { "nothing to do".to_owned() } else { said.join(", ") })
    }
}
