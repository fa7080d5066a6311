//! `docket task`: tasks seen and acted on from a terminal, as Docket itself.

use anyhow::Result;
use caseload::{Actor, Caseload, SYSTEM_PERSON, Via};
use clap::Subcommand;
use model::{Permission, Role, TaskId, TaskName, TaskQuery, TaskRow, parameters, short_id, task::TaskScope};
use serde::Serialize;

use super::{answer::say, refusals::said};
use crate::{config::Config, process::run};

#[derive(Subcommand)]
pub enum TaskCommand {
    /// List the latest tasks of everybody
    List {
        /// How many to list, at most 200
        #[arg(long, default_value = "25", value_parser = limit)]
        limit: u32,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Show one task
    Show {
        /// The short ID from the list or a page, or the full ID
        id: TaskName,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Retry a failed task
    Retry {
        /// The short ID from the list or a page, or the full ID
        id: TaskName,
    },
    /// Close a task for good
    Abandon {
        /// The short ID from the list or a page, or the full ID
        id: TaskName,
        #[arg(long)]
        reason: String,
    },
}

impl TaskCommand {
    pub async fn run(self, config: &Config) -> Result<()> {
        let caseload = match self {
            TaskCommand::List { .. } | TaskCommand::Show { .. } => run::look(config).await?,
            TaskCommand::Retry { .. } | TaskCommand::Abandon { .. } => run::open(config).await?,
        };
        let actor = operator();
        match self {
            TaskCommand::List { limit, json } => list(&caseload, &actor, limit, json).await?,
            TaskCommand::Show { id, json } => {
                let id = caseload.tasks().find_by_name(&actor, id).await.map_err(said)?;
                show(&caseload, &actor, id, json).await?;
            }
            TaskCommand::Retry { id } => {
                let id = caseload.tasks().find_by_name(&actor, id).await.map_err(said)?;
                caseload.tasks().retry(&actor, id, Some("from the command line")).await.map_err(said)?;
                say(format_args!("{} will be retried", short_id(id)));
            }
            TaskCommand::Abandon { id, reason } => {
                let id = caseload.tasks().find_by_name(&actor, id).await.map_err(said)?;
                caseload.tasks().abandon(&actor, id, Some(&reason)).await.map_err(said)?;
                say(format_args!("{} is closed", short_id(id)));
            }
        }
        Ok(())
    }
}

async fn list(caseload: &Caseload, actor: &Actor, limit: u32, json: bool) -> Result<()> {
    let query = TaskQuery { scope: TaskScope::All, limit: Some(limit), ..TaskQuery::default() };
    let page = caseload.tasks().list(actor, &query).await.map_err(said)?;
    if json {
        return print(&page);
    }
    for row in &page.items {
        say(line(row));
    }
    Ok(())
}

async fn show(caseload: &Caseload, actor: &Actor, id: TaskId, json: bool) -> Result<()> {
    let task = caseload.tasks().get(actor, id).await.map_err(said)?;
    if json {
        return print(&task);
    }
    say(line(&task.row));
    say(format_args!("  Id: {}", task.row.id));
    for (name, value) in &task.facts {
        say(format_args!("  {name}: {value}"));
    }
    for event in &task.timeline {
        say(format_args!("  {}  {}", event.date.format("%Y-%m-%d %H:%M:%S"), event.text));
    }
    Ok(())
}

fn line(row: &TaskRow) -> String {
    let total = row.total.map(|total| total.to_string()).unwrap_or_else(|| "?".to_owned());
    format!("{}  {}  {} of {total}  {}  {}", short_id(row.id), row.label, row.treated(), row.owner_name, row.title)
}

pub(super) fn print(value: &impl Serialize) -> Result<()> {
    say(serde_json::to_string_pretty(value)?);
    Ok(())
}

fn limit(text: &str) -> Result<u32, String> {
    parameters::limit(text).map_err(|problem| problem.detail)
}

/// Whoever can run this binary on this database could change every row of it anyway.
pub(super) fn operator() -> Actor {
    Actor {
        person_id: SYSTEM_PERSON,
        username: "system".to_owned(),
        name: "Docket".to_owned(),
        role: Role::Administrator,
        permissions: Permission::ALL.to_vec(),
        session_version: 0,
        must_change: false,
        preferences: Default::default(),
        via: Via::command(),
    }
}
