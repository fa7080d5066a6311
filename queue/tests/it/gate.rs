//! What a process leaves alone that is told not to act.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use model::WorkflowStatus;
use queue::{Gate, Runtime};
use sea_orm::DbErr;
use testkit::On;

use crate::{fence::holding_claimed, fixture::Fixture};

testkit::on_both!(a_process_that_may_not_act_claims_and_rescues_nothing);

#[derive(Clone, Default)]
struct Shut(Arc<AtomicBool>);

#[async_trait]
impl Gate for Shut {
    async fn obstacle(&self) -> Result<Option<String>, DbErr> {
        Ok(self.0.load(Ordering::SeqCst).then(|| "a newer version".to_owned()))
    }
}

async fn a_process_that_may_not_act_claims_and_rescues_nothing(on: On) {
    let f = Fixture::new(on).await;
    let (probe, _never_released) = holding_claimed();
    let dying = Runtime::unguarded(&f.other(probe)).await.unwrap();
    let left = f.steps(1).await;
    assert_eq!(dying.tick().await.unwrap(), 1);
    dying.kill();
    f.silence();
    f.test.clock.advance(f.queue.settings().cleaning.crash_interval_of("steps"));
    let (shut, runtime) = (Shut::default(), f.runtime().await);
    runtime.admit_by(shut.clone());
    shut.0.store(true, Ordering::SeqCst);
    let waiting = f.steps(1).await;
    assert_eq!((runtime.tick().await.unwrap(), runtime.rescue().await.unwrap()), (0, 0));
    assert!(runtime.permit().await.unwrap().is_none());
    assert_eq!(runtime.take_back_silent().await.unwrap(), 0);
    assert_eq!(f.status(left).await, WorkflowStatus::Scheduling);
    shut.0.store(false, Ordering::SeqCst);
    if on == On::Postgres {
        assert_eq!(runtime.rescue().await.unwrap(), 1);
    }
    f.settle(&runtime).await;
    assert_eq!(f.status(waiting).await, WorkflowStatus::Completed);
}
