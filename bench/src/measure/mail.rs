//! How fast an email leaves beside a bare pool of the mail library of the same size, and how much memory it needs.
//!
//! `mail URL [COUNT] [ROUNDS]`: fills the database at URL with generated people if they are not there yet, and starts a mail
//! server for tests of its own, which takes everything at once. Each round hands COUNT messages over through the bare pool, and
//! then writes to as many people with Docket.

use std::{
    env::Args,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use bench::{Bench, Ratio, forget_peak, memory};
use caseload::{
    Exports,
    files::Files,
    mail::{Mail, MailSettings},
};
use futures::StreamExt;
use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor, message::MultiPart, transport::smtp::PoolConfig,
};
use model::{
    Action, Submission, Target,
    action::{Recipients, email::WrittenEmail},
    submission::SubmitSource,
};
use queue::Runtime;
use testkit::SmtpSink;

pub async fn measure(mut arguments: Args) -> Result<()> {
    let url = arguments.next().context("usage: mail URL [COUNT] [ROUNDS]")?;
    let count: u64 = arguments.next().map_or(Ok(2_000), |text| text.parse())?;
    let rounds: usize = arguments.next().map_or(Ok(5), |text| text.parse())?;
    let sink = SmtpSink::start()?;
    let settings =
        MailSettings { smtp_url: Some(sink.url()), hold: Duration::ZERO, limit: None, ..MailSettings::default() };
    let at_once = settings.concurrency;
    let mail = Mail::new(settings).map_err(anyhow::Error::msg)?;
    let bench = Bench::with_mail(&url, count, Exports::with_defaults(Files::in_memory()), mail).await?;
    bench
        .db
        .write("UPDATE person SET email_opt_out = FALSE, primary_email = school_id || '@students.example'", [])
        .await?;
    let runtime = Runtime::start(bench.caseload.queue()).await?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let bare = bare(&sink, count, at_once).await?;
        let (docket, peak) = docket(&bench, &runtime, count).await?;
        // The first round warms the caches.
        if round > 0 {
            println!(
                "round {round}: bare pool {bare:.0}, Docket {docket:.0} messages a second, {peak:.0} MiB above idle"
            );
            ours.push(docket);
            theirs.push(bare);
        }
    }
    println!(
        "{count} messages, {at_once} at once, {}: {} × the rate of the bare pool",
        bench.database(),
        Ratio::of(&ours, &theirs)
    );
    Ok(())
}

/// Messages a second of the pool alone.
async fn bare(sink: &SmtpSink, count: u64, at_once: usize) -> Result<f64> {
    let pool = PoolConfig::new().max_size(u32::try_from(at_once)?);
    let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(&sink.url())?.pool_config(pool).build();
    let began = Instant::now();
    let sent = futures::stream::iter(0..count).map(|n| {
        let transport = &transport;
        async move {
            let parts = MultiPart::alternative_plain_html("Hello Ada".to_owned(), "<p>Hello Ada</p>".to_owned());
            let message = Message::builder()
                .from("docket@localhost.localdomain".parse()?)
                .to(format!("s{n}@students.example").parse()?)
                .subject("Four slots")
                .multipart(parts)?;
            transport.send(message).await?;
            anyhow::Ok(())
        }
    });
    let sent: Vec<_> = sent.buffer_unordered(at_once).collect().await;
    sent.into_iter().collect::<Result<Vec<_>>>()?;
    Ok(count as f64 / began.elapsed().as_secs_f64())
}

/// Messages a second of an email to so many people, and the peak of memory above what is in use without, in MiB.
async fn docket(bench: &Bench, runtime: &Runtime, count: u64) -> Result<(f64, f64)> {
    let action = Action::email(WrittenEmail {
        subject: "Four slots",
        body: "Hello {first name | there}",
        recipients: Some(Recipients::Primary),
        ..WrittenEmail::default()
    })?;
    let submission = Submission {
        action: Some(action),
        target: Some(Target::Everyone),
        confirm_total: Some(count),
        everyone_confirmed: true,
        ..Submission::from_source(SubmitSource::Program)
    };
    let id = bench.caseload.actions().submit(&bench.manager, submission).await?.id;
    forget_peak();
    let (idle, _) = memory();
    let began = Instant::now();
    while runtime.tick().await? > 0 {
        runtime.idle().await;
    }
    let took = began.elapsed().as_secs_f64();
    let row = bench.caseload.tasks().row(&bench.manager, id).await?;
    ensure!(row.succeeded == count, "{row:?}");
    Ok((count as f64 / took, memory().1 - idle))
}
