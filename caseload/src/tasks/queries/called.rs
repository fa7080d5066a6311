//! Tasks by what they are called: one's own latest by title or short id, and any that one may see by its whole id.

use model::{TaskId, TaskRow, short_id};
use queue::TaskSearch;

use crate::{
    Actor, Result,
    caseload::Tasks,
    tasks::{row, title::title, visible},
};

/// How many of the latest tasks are looked through: titles are made of what each was asked for, and no index knows them.
const LATEST: u64 = 100;
/// The fewest digits that are looked for among short ids.
const DIGITS: usize = 4;

impl Tasks<'_> {
    /// So many tasks at most, the latest first.
    pub async fn called(self, actor: &Actor, words: &str, most: usize) -> Result<Vec<TaskRow>> {
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let whole = match &words[..] {
            [] => return Ok(Vec::new()),
            [id] => id.parse::<TaskId>().ok(),
            _ => None,
        };
        let mut found: Vec<_> = match whole {
            Some(id) => visible::visible_tasks(self.0, actor, [id]).await?.into_values().collect(),
            None => {
                let own = TaskSearch { owner_id: Some(actor.person_id), limit: LATEST, ..TaskSearch::default() };
                let mut tasks = self.0.queue().tasks(&own).await?.tasks;
                tasks.retain(|task| is_called(&title(task).to_lowercase(), &short_id(task.id), &words));
                tasks
            }
        };
        found.truncate(most);
        row::rows_of(self.0, actor, &found, self.0.db().now().await?).await
    }
}

/// Whether a title has all these words, or they are the beginning of the short id.
fn is_called(title: &str, short_id: &str, words: &[String]) -> bool {
    let named = matches!(words, [digits] if digits.len() >= DIGITS && short_id.starts_with(digits.as_str()));
    named || words.iter().all(|word| title.contains(word.as_str()))
}
