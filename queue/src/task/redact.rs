//! Takes what names somebody out of what is kept of tasks.

use sea_orm::{ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect, QueryTrait};
use serde_json::Value;

use crate::{
    Database, Queue, Result, TaskColumn, TaskEntity, Transaction,
    entity::{paused_kind, schedule_fire, task_attempt},
};

impl Queue {
    /// What all tasks were asked to do in which any of these words stands.
    pub async fn specs_with(&self, txn: &Transaction, words: &[String]) -> Result<Vec<String>> {
        let any = words.iter().fold(Condition::any(), |any, word| any.add(TaskColumn::ExecutionSpec.contains(word)));
        let specs = TaskEntity::find().select_only().column(TaskColumn::ExecutionSpec).filter(any);
        Ok(specs.into_tuple().all(txn).await?)
    }

    /// Puts in place of each of these words the other one in the specs of all tasks, wherever it stands as a text of its own; a
    /// spec is never changed otherwise. And `by` in place of every text that somebody wrote about a task or a kind, or that came
    /// with an error, if `is_named` says so of it.
    pub async fn redact(
        &self,
        txn: &Transaction,
        words: &[(String, String)],
        is_named: impl Fn(&str) -> bool,
        by: &str,
    ) -> Result<()> {
        let db = self.db();
        for (word, other) in words {
            let (quoted, other) = (Value::from(word.as_str()).to_string(), Value::from(other.as_str()).to_string());
            let sql = "UPDATE queued_task SET execution_spec = REPLACE(execution_spec, $1, $2)
                       WHERE execution_spec LIKE $3 ESCAPE '!'";
            let pattern = quoted.replace('!', "!!").replace('%', "!%").replace('_', "!_");
            let values = [quoted.into(), other.into(), format!("%{pattern}%").into()];
            txn.execute_raw(db.statement(sql, values)).await?;
        }
        let by = Some(by);
        replace_texts::<TaskEntity>(db, txn, TaskColumn::FinishReason, &is_named, by).await?;
        replace_texts::<TaskEntity>(db, txn, TaskColumn::WorkflowStatusDesc, &is_named, by).await?;
        replace_texts::<task_attempt::Entity>(db, txn, task_attempt::Column::Detail, &is_named, by).await?;
        replace_texts::<paused_kind::Entity>(db, txn, paused_kind::Column::Reason, &is_named, by).await?;
        replace_texts::<schedule_fire::Entity>(db, txn, schedule_fire::Column::Detail, &is_named, by).await?;
        Ok(())
    }
}

/// Writes `by` for the texts of this column of which `is_named` is true. Many rows may have the same text.
pub async fn replace_texts<E: EntityTrait>(
    db: &Database,
    txn: &impl ConnectionTrait,
    column: E::Column,
    is_named: impl Fn(&str) -> bool,
    by: Option<&str>,
) -> Result<(), DbErr> {
    let texts = E::find().select_only().column(column).distinct();
    let texts: Vec<String> = texts.filter(column.is_not_null()).into_tuple().all(txn).await?;
    for text in texts.into_iter().filter(|text| is_named(text)) {
        let named = E::update_many().filter(column.eq(text));
        let replaced = named.col_expr(column, by.map(str::to_owned).into());
        txn.execute_raw(db.build(&replaced.into_query())).await?;
    }
    Ok(())
}
