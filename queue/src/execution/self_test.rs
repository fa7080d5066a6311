//! The self-test kind: exercises the queue and nothing else. Operators and tests submit it where a setting allows it.

use std::time::Duration;

use async_trait::async_trait;
use model::{TaskErrorCode, TaskKind};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Chunk, ChunkContext, Executor, Failure, Progress, Run, Step};

/// Its kind.
pub const KIND: &str = TaskKind::SelfTest.name();
/// The most chunks of one task.
pub const MAX_CHUNKS: u32 = 10_000;
/// The longest sleep before or in each.
pub const MAX_SLEEP: Duration = Duration::from_secs(600);

/// What a self-test does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SelfTestSpec {
    /// Before each chunk, outside of its transaction.
    pub sleep_ms: u64,
    /// In each chunk, inside its transaction, with the task's row locked.
    pub hold_ms: u64,
    pub chunks: u32,
    pub outcome: SelfTestEnding,
    /// How many attempts end with `outcome` before one works; 0 means all of them.
    pub fail_times: u32,
}

/// How it ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SelfTestEnding {
    #[default]
    Ok,
    Transient,
    Permanent,
    Panic,
    /// Never, until its deadline or somebody ends it.
    Hang,
    /// With its process, after taking memory until there is none.
    Exhaust,
}

impl Default for SelfTestSpec {
    fn default() -> Self {
        SelfTestSpec { sleep_ms: 0, hold_ms: 0, chunks: 1, outcome: SelfTestEnding::Ok, fail_times: 0 }
    }
}

/// Runs self-tests.
pub struct SelfTest;

impl Executor for SelfTest {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn counts_toward_owner(&self) -> bool {
        false
    }

    fn build(&self, spec: &Value) -> Result<Box<dyn Run>, String> {
        let spec: SelfTestSpec = serde_json::from_value(spec.clone()).map_err(|error| error.to_string())?;
        if spec.chunks == 0 || spec.chunks > MAX_CHUNKS {
            return Err(format!("chunks: from 1 to {MAX_CHUNKS}"));
        }
        for (name, time) in [("sleepMs", spec.sleep_ms), ("holdMs", spec.hold_ms)] {
            if Duration::from_millis(time) > MAX_SLEEP {
                return Err(format!("{name}: at most {}", MAX_SLEEP.as_millis()));
            }
        }
        Ok(Box::new(spec))
    }
}

#[async_trait]
impl Run for SelfTestSpec {
    async fn prepare(&mut self, _: &ChunkContext<'_>) -> Result<(), Failure> {
        tokio::time::sleep(Duration::from_millis(self.sleep_ms)).await;
        Ok(())
    }

    async fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<Step, Failure> {
        tokio::time::sleep(Duration::from_millis(self.hold_ms)).await;
        let fails = self.fail_times == 0 || chunk.task.attempt <= self.fail_times.cast_signed();
        match self.outcome {
            SelfTestEnding::Transient if fails => {
                return Err(Failure::transient(TaskErrorCode::SelfTest, "asked to fail"));
            }
            SelfTestEnding::Permanent if fails => {
                return Err(Failure::permanent(TaskErrorCode::SelfTest, "asked to fail for good"));
            }
            SelfTestEnding::Panic if fails => std::panic::panic_any("asked to panic"),
            SelfTestEnding::Hang if fails => std::future::pending().await,
            SelfTestEnding::Exhaust if fails => exhaust().await,
            _ => {}
        }
        let done = chunk.bookmark["chunks"].as_u64().unwrap_or_default() + 1;
        let total = i64::from(self.chunks);
        let progress =
            Progress { bookmark: json!({ "chunks": done }), total: Some(total), succeeded: 1, ..Progress::default() };
        Ok(if done >= u64::from(self.chunks) { Step::Done(progress) } else { Step::More(progress) })
    }
}

/// Takes memory until the allocator or the kernel ends the process.
async fn exhaust() {
    let mut taken = Vec::new();
    loop {
        // Filled, since untouched pages cost nothing; and much at once, to be over before any deadline.
        taken.push(vec![1_u8; 1 << 30]);
        tokio::task::yield_now().await;
    }
}
