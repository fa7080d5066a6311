//! What a line of a list says of the coach whom it wants: its number in the file, and of one who is not found what they are called
//! there. Owned by `caseload`.

crate::dialect::step!();

const UP: &str = "
ALTER TABLE coach_wish ADD COLUMN line bigint;
ALTER TABLE coach_wish ADD COLUMN wanted text;
ALTER TABLE coach_wish ADD COLUMN several boolean NOT NULL DEFAULT FALSE";

const DOWN: &str = "
ALTER TABLE coach_wish DROP COLUMN several;
ALTER TABLE coach_wish DROP COLUMN wanted;
ALTER TABLE coach_wish DROP COLUMN line";
