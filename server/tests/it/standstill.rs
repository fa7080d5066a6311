//! Tasks that stand still once they have come some way, so that whatever a test does to them then happens in their midst.

use testkit::On;

use crate::binary::{Place, until};

/// How the chunk ends that stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// When tasks are let go. On SQLite, where nobody can write meanwhile, it ends by itself after a while, as each one after it does.
    LetGo,
    /// With its process.
    Killed,
}

/// From now on no task comes beyond its first chunk.
pub async fn hold(place: &Place, on: On, ends: Ends) {
    place.write("CREATE TABLE standing_still (since integer)").await;
    place.write("INSERT INTO standing_still VALUES (0)").await;
    let midway = "OLD.succeeded + OLD.skipped + OLD.failed + OLD.uncertain > 0";
    match on {
        On::Postgres => {
            // For as long as a test may take.
            place
                .write(
                    "CREATE FUNCTION stand_still() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                        FOR look IN 1..2400 LOOP
                            EXIT WHEN NOT EXISTS (SELECT 1 FROM standing_still);
                            PERFORM pg_sleep(0.05);
                        END LOOP;
                        RETURN NEW;
                     END $$",
                )
                .await;
            let trigger = "CREATE TRIGGER stand_still BEFORE UPDATE OF succeeded ON queued_task FOR EACH ROW";
            place.write(&format!("{trigger} WHEN ({midway}) EXECUTE FUNCTION stand_still()")).await;
        }
        On::Sqlite => {
            let end = if ends == Ends::Killed { "" } else { "WHERE n < 2000000" };
            let trigger = "CREATE TRIGGER stand_still BEFORE UPDATE OF succeeded ON queued_task";
            let counting = format!("WITH RECURSIVE up (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up {end})");
            place
                .write(&format!(
                    "{trigger} WHEN {midway} AND EXISTS (SELECT 1 FROM standing_still)
                     BEGIN SELECT ({counting} SELECT COUNT(*) FROM up); END"
                ))
                .await;
        }
    }
}

/// Waits until the task that was submitted last stands still, and gives how many people it has treated.
pub async fn until_midway(place: &Place) -> u64 {
    let far = "SELECT succeeded + skipped + failed + uncertain FROM queued_task ORDER BY submit_order DESC LIMIT 1";
    until("the middle of the task", async || place.value(far).await > 0).await;
    place.value(far).await.unsigned_abs()
}

/// Lets all tasks go on.
pub async fn let_go(place: &Place) {
    place.write("DELETE FROM standing_still").await;
}
