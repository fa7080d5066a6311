//! Names of staff, kept in memory.

use std::{collections::HashMap, sync::Mutex};

use uuid::Uuid;

/// Names of staff, looked up once.
#[derive(Default)]
pub struct Names(pub Mutex<HashMap<Uuid, String>>);
