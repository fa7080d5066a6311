//! Names of staff, kept in memory.

use model::AccountId;
use std::{collections::HashMap, sync::Mutex};

/// Names of staff, looked up once.
#[derive(Default)]
pub struct StaffNames(pub Mutex<HashMap<AccountId, String>>);
