//! One invented student, drawn from a random source of their own.

use chrono::TimeDelta;
use model::{Instant, PersonId, ProgramStatus, SchoolId};
use rand::{Rng, RngExt, SeedableRng, rngs::StdRng};
use uuid::Builder;

use super::{choices, names::PersonName};
use crate::import::rows::person_row::Record;

/// The person with this number, from 1, of a seed. School ids hold the seed, so that two seeds make different people.
pub fn draw(seed: u64, number: u64, now: Instant, coaches: &[PersonId]) -> Record {
    // Neighbouring seeds would otherwise share all but one of their people.
    let mut rng = StdRng::seed_from_u64(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number);
    let name = PersonName::pick(rng.next_u64());
    let school_id = SchoolId::made_up(seed, number);
    let address = name.address(school_id.as_str());
    let status = weighted(&mut rng, &choices::STATUSES);
    let reason = weighted(&mut rng, &choices::REASONS);
    let days = TimeDelta::days(rng.random_range(6_200..16_000)) - TimeDelta::days(rng.random_range(0..365));
    // Recent changes are more frequent than old ones, over two years.
    let age = rng.random::<f64>().powi(2) * 730.0 * 86_400.0;
    Record {
        id: id(&mut rng, number, now),
        secondary_email: rng.random_bool(0.3).then(|| address.replace("@", "@home.")),
        primary_email: rng.random_bool(0.98).then_some(address),
        middle_name: rng.random_bool(0.35).then(|| PersonName::pick(rng.next_u64()).first),
        first_name: name.first,
        last_name: name.last,
        birth_date: (now - days).date_naive().into(),
        student_type: Some(weighted(&mut rng, &choices::STUDENT_TYPES).to_owned()),
        home_campus: Some(pick(&mut rng, &choices::CAMPUSES).to_string()),
        declared_major: rng.random_bool(0.93).then(|| pick(&mut rng, &choices::MAJORS).to_string()),
        start_term: Some(pick(&mut rng, &choices::terms(now)).clone()),
        coach_id: (!coaches.is_empty()).then(|| coaches[(number % coaches.len() as u64) as usize]),
        program_status: Some(status),
        change_reason: (status == ProgramStatus::NonParticipating).then_some(reason),
        status_date: Some(now - TimeDelta::seconds(age as i64)),
        activated: rng.random_bool(0.96),
        email_opt_out: rng.random_bool(0.03),
        extra: [("Invented".to_owned(), true.into())].into_iter().collect(),
        student: true,
        school_id,
    }
}

/// An id of version 7 that sorts by number, a thousand to the millisecond, so that a million rows fill the index from
/// one side.
fn id(rng: &mut StdRng, number: u64, now: Instant) -> PersonId {
    let millis = u64::try_from(now.timestamp_millis()).unwrap_or_default() + number / 1_000;
    let mut random = [0; 10];
    rng.fill_bytes(&mut random);
    Builder::from_unix_timestamp_millis(millis, &random).into_uuid().into()
}

fn pick<'a, T>(rng: &mut StdRng, choices: &'a [T]) -> &'a T {
    &choices[rng.random_range(0..choices.len())]
}

/// One of the choices, as often as its weight has it.
fn weighted<T: Copy>(rng: &mut StdRng, choices: &[(T, u32)]) -> T {
    let mut at = rng.random_range(0..choices.iter().map(|(_, weight)| weight).sum());
    let mut chosen = choices[0].0;
    for (choice, weight) in choices {
        chosen = *choice;
        if at < *weight {
            break;
        }
        at -= weight;
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Instant {
        Instant::from_timestamp_millis(1_750_000_000_000).unwrap()
    }

    #[test]
    fn a_number_is_always_the_same_person() {
        let coaches = [PersonId::from_u128(7), PersonId::from_u128(8)];
        assert_eq!(draw(1, 5, now(), &coaches), draw(1, 5, now(), &coaches));
        assert_ne!(draw(1, 5, now(), &[]).school_id, draw(2, 5, now(), &[]).school_id);
        assert_ne!(draw(1, 5, now(), &[]).first_name, draw(1, 6, now(), &[]).first_name);
    }

    #[test]
    fn people_are_as_mixed_as_the_weights_say() {
        let people: Vec<Record> = (1..=5_000).map(|number| draw(9, number, now(), &[])).collect();
        let share = |test: fn(&Record) -> bool| people.iter().filter(|person| test(person)).count();
        assert!((2_900..3_300).contains(&share(|person| person.program_status == Some(ProgramStatus::Active))));
        assert!((120..290).contains(&share(|person| !person.activated)));
        assert!((50..160).contains(&share(|person| person.primary_email.is_none())));
        let needs_reason = |person: &Record| person.program_status.is_some_and(ProgramStatus::needs_reason);
        assert!(people.iter().all(|person| needs_reason(person) == person.change_reason.is_some()));
        assert!(people.iter().all(|person| person.status_date.is_some_and(|date| date <= now())));
        assert!(people.windows(2).all(|pair| pair[0].school_id < pair[1].school_id));
    }
}
