//! Tasks by what they are called: by their title, of one's own, or by an id, of all that one may see.

use model::{TaskId, TaskName, TaskRow};
use queue::TaskSearch;

use crate::{
    Actor, Result,
    caseload::Tasks,
    tasks::{row, title::title, visible},
};

/// How many of the latest tasks are looked through by their titles, which are made of what each was asked for.
const LATEST: u64 = 100;

impl Tasks<'_> {
    /// So many tasks at most: first the one with this id or short id, then the latest of one's own whose titles have all the words.
    pub async fn called(self, actor: &Actor, words: &str, most: usize) -> Result<Vec<TaskRow>> {
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        if let [name] = &words[..]
            && let Ok(name) = name.parse()
        {
            let named = visible::visible_tasks(self.0, actor, self.ids_of(name).await?).await?;
            found.extend(named.into_values());
        }
        let own = TaskSearch { owner_id: Some(actor.person_id), limit: LATEST, ..TaskSearch::default() };
        let has_all = |title: String| words.iter().all(|word| title.contains(word.as_str()));
        for task in self.0.queue().tasks(&own).await?.tasks {
            if has_all(title(&task).to_lowercase()) && found.iter().all(|known| known.id != task.id) {
                found.push(task);
            }
        }
        let now = self.0.db().now().await?;
        let mut rows = Vec::new();
        for task in found.iter().take(most) {
            rows.push(row::row_of(self.0, actor, task, now).await?);
        }
        Ok(rows)
    }

    async fn ids_of(self, name: TaskName) -> Result<Vec<TaskId>> {
        Ok(match name {
            TaskName::Whole(id) => vec![id],
            TaskName::Short(end) => self.0.queue().tasks_ending_in(end).await?,
        })
    }
}
