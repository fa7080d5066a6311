//! How long an export takes beside `COPY … TO` of the same rows, and how much memory it needs.
//!
//! `export URL [COUNT] [ROUNDS]`: fills the PostgreSQL database at URL with generated people if they are not there yet. Each
//! round copies them to a file with COPY, and then exports them with Docket. On SQLite, which has no COPY, only the export is
//! timed. An XLSX follows once.

use std::{env::Args, time::Instant};

use anyhow::{Context, Result};
use bench::{Bench, Ratio, forget_peak, goal::Goals, memory};
use caseload::{
    Exports,
    files::{FileStore, Files},
};
use futures::TryStreamExt;
use model::{Action, Submission, Target, submission::SubmitSource};
use queue::Runtime;
use sqlx::{Connection, PgConnection};
use tokio::io::{AsyncWriteExt, BufWriter};

/// The rows of an export that chooses no columns, as it has them.
const COPY: &str = "COPY (
    SELECT p.school_id, p.last_name, p.first_name, p.middle_name, p.primary_email, p.secondary_email,
        CASE WHEN p.email_opt_out THEN 'yes' ELSE 'no' END,
        CASE p.program_status WHEN 'ACTIVE' THEN 'Active' WHEN 'INACTIVE' THEN 'Inactive' WHEN 'NON_PARTICIPATING' THEN
            'Non-participating' WHEN 'NO_SHOW' THEN 'No-show' WHEN 'TRANSITIONED' THEN 'Transitioned' END,
        CASE p.change_reason WHEN 'NOT_INTERESTED' THEN 'Not interested' WHEN 'NO_RESPONSE' THEN 'Does not respond'
            WHEN 'ACADEMIC_PROGRESS' THEN 'Academic progress' WHEN 'HEALTH' THEN 'Health' WHEN 'FINANCES' THEN 'Finances'
            WHEN 'FAMILY' THEN 'Family' WHEN 'MOVED_AWAY' THEN 'Moved away' WHEN 'OTHER' THEN 'Other' END,
        (p.status_date AT TIME ZONE 'UTC')::date, CASE WHEN p.activated THEN 'yes' ELSE 'no' END, p.student_type,
        p.home_campus, p.declared_major, p.start_term, TRIM(c.first_name || ' ' || c.last_name)
    FROM person p LEFT JOIN person c ON c.id = p.coach_id WHERE p.student ORDER BY p.sort_key, p.id
) TO STDOUT (FORMAT csv, HEADER)";

pub async fn measure(mut arguments: Args) -> Result<()> {
    let url = arguments.next().context("usage: export URL [COUNT] [ROUNDS]")?;
    let count: u64 = arguments.next().map_or(Ok(100_000), |text| text.parse())?;
    let rounds: usize = arguments.next().map_or(Ok(5), |text| text.parse())?;
    let folder = std::env::temp_dir().join(format!("docket-bench-{}", std::process::id()));
    let files = Files::open(&FileStore::Folder(folder.display().to_string())).map_err(anyhow::Error::msg)?;
    let bench = Bench::open(&url, count, Exports::with_defaults(files)).await?;
    let runtime = Runtime::start(bench.caseload.queue()).await?;
    let (mut ours, mut theirs, mut peaks) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..=rounds {
        let copied = match bench.db.is_postgres() {
            true => Some(copy(&url, &folder.join("copy.csv")).await?),
            false => None,
        };
        let (took, peak) = export(&bench, &runtime, "CSV", count).await?;
        // The first round warms the caches.
        if round > 0 {
            let beside = copied.map(|copied| format!("COPY {copied:.2} s, ")).unwrap_or_default();
            println!("round {round}: {beside}export {took:.2} s, {peak:.0} MiB above idle");
            ours.push(took);
            theirs.extend(copied);
            peaks.push(peak);
        }
    }
    let (took, peak) = export(&bench, &runtime, "XLSX", count).await?;
    println!("XLSX: {took:.2} s, {peak:.0} MiB above idle");
    let most = peaks.iter().copied().fold(0.0, f64::max);
    let database = bench.database();
    println!("{count} people, {database}: {most:.0} MiB above idle at the peak");
    std::fs::remove_dir_all(folder)?;
    let mut goals = Goals::default();
    if !theirs.is_empty() {
        let ratio = Ratio::of(&ours, &theirs);
        println!("{count} people, {database}: {ratio} × COPY");
        goals.at_most("an export on PostgreSQL beside COPY, times", ratio.median, 1.3);
    }
    goals.at_most(&format!("an export on {database}, MiB above idle"), most, 64.0);
    goals.kept()
}

async fn copy(url: &str, to: &std::path::Path) -> Result<f64> {
    let mut connection = PgConnection::connect(url).await?;
    let began = Instant::now();
    let mut file = BufWriter::new(tokio::fs::File::create(to).await?);
    let mut rows = connection.copy_out_raw(COPY).await?;
    while let Some(piece) = rows.try_next().await? {
        file.write_all(&piece).await?;
    }
    file.flush().await?;
    file.get_ref().sync_all().await?;
    Ok(began.elapsed().as_secs_f64())
}

/// Seconds from the submit to the end, and the most memory above what was in use before, in MiB.
async fn export(bench: &Bench, runtime: &Runtime, format: &str, count: u64) -> Result<(f64, f64)> {
    let action = Action::export(format, None::<[&str; 0]>, None).map_err(|problem| anyhow::anyhow!("{problem}"))?;
    let submission = Submission {
        action: Some(action),
        target: Some(Target::Everyone),
        everyone_confirmed: true,
        ..Submission::from_source(SubmitSource::Program)
    };
    forget_peak();
    let (idle, _) = memory();
    let began = Instant::now();
    let task = bench.caseload.actions().submit(&bench.manager, submission).await?.id;
    while runtime.tick().await? > 0 {
        runtime.idle().await;
    }
    let took = began.elapsed().as_secs_f64();
    let (_, peak) = memory();
    let file = bench.caseload.tasks().get(&bench.manager, task).await?.file.context("no file was made")?;
    anyhow::ensure!(file.rows == count, "{} rows instead of {count}", file.rows);
    Ok((took, peak - idle))
}
