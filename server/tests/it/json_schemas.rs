//! The schemas of the document, as far as it uses them: values made from one, and what is wrong with a value.

use serde_json::{Map, Value, json};

/// Follows a reference within the document.
pub fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(at) => document.pointer(at.trim_start_matches('#')).unwrap_or_else(|| panic!("{at} is not there")),
        None => schema,
    }
}

/// A value of this schema: with the members that are required, or with all of them. `known` says what a text has to be.
pub fn sample(document: &Value, schema: &Value, whole: bool, known: &dyn Fn(&str) -> Value) -> Value {
    let schema = resolved(document, schema);
    if let Some(values) = schema["enum"].as_array() {
        return values[0].clone();
    }
    if let Some(either) = schema["oneOf"].as_array() {
        return sample(document, &either[0], whole, known);
    }
    match types(schema)[0] {
        "object" => {
            let required = required(schema);
            let members = schema["properties"].as_object().into_iter().flatten();
            let members = members.filter(|(name, _)| whole || required.contains(&name.as_str()));
            let sampled = members.map(|(name, member)| (name.clone(), sample(document, member, whole, known)));
            sampled.collect::<Map<_, _>>().into()
        }
        "array" => json!([sample(document, &schema["items"], whole, known)]),
        "integer" => json!(1),
        "boolean" => json!(true),
        "string" => known(schema["format"].as_str().unwrap_or_default()),
        other => panic!("a schema of type {other}"),
    }
}

/// What is wrong with a value: what has another type than its schema says, is missing, or is not spoken of.
pub fn wrong(document: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let schema = resolved(document, schema);
    if let Some(either) = schema["oneOf"].as_array() {
        let tried: Vec<_> = either.iter().map(|schema| wrong(document, schema, value, at)).collect();
        return tried.into_iter().min_by_key(Vec::len).unwrap_or_default();
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) if types(schema).contains(&"number") => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let parts = schema["allOf"].as_array();
    if parts.is_none() && !types(schema).is_empty() && !types(schema).contains(&kind) {
        return vec![format!("{at} is {kind}, not {}", schema["type"])];
    }
    if schema["enum"].as_array().is_some_and(|values| !values.contains(value)) {
        return vec![format!("{at} is {value}, not one of {}", schema["enum"])];
    }
    let mut wrongs = Vec::new();
    if let Some(items) = schema.get("items").filter(|items| items.is_object()) {
        let each = value.as_array().into_iter().flatten().enumerate();
        wrongs.extend(each.flat_map(|(i, item)| wrong(document, items, item, &format!("{at}[{i}]"))));
    }
    let Some(members) = value.as_object() else { return wrongs };
    let whole = parts_of(document, schema);
    let says_nothing = |part: &&Value| part.get("properties").is_none() && part.get("additionalProperties").is_none();
    if parts.is_none() && whole.iter().all(says_nothing) {
        // An object of any form.
        return wrongs;
    }
    for name in whole.iter().flat_map(|part| required(part)).filter(|name| !members.contains_key(*name)) {
        wrongs.push(format!("{at}.{name} is missing"));
    }
    for (name, member) in members {
        let described = whole.iter().find_map(|part| part["properties"].get(name));
        let others = whole.iter().find_map(|part| part.get("additionalProperties"));
        match described.or(others) {
            Some(schema) => wrongs.extend(wrong(document, schema, member, &format!("{at}.{name}"))),
            None => wrongs.push(format!("{at}.{name} is not spoken of")),
        }
    }
    wrongs
}

/// A schema with those that it is made of, and those that they are made of.
fn parts_of<'a>(document: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    let schema = resolved(document, schema);
    let parts = schema["allOf"].as_array().into_iter().flatten();
    std::iter::once(schema).chain(parts.flat_map(|part| parts_of(document, part))).collect()
}

fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(one) => vec![one],
        several => several.as_array().into_iter().flatten().filter_map(Value::as_str).collect(),
    }
}

fn required(schema: &Value) -> Vec<&str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}
