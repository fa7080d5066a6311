//! In bodies a member that is null is as if it had been left out, whatever its type (`crate::api::strict`); so the document says
//! of every optional one that it may be null, and of no other.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// Lets every optional member of what is sent be null.
pub fn take_null(document: &mut Value) {
    let mut named = BTreeSet::new();
    let paths = document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    for call in paths.filter_map(Value::as_object_mut).flat_map(|path| path.values_mut()) {
        if let Some(body) = call.pointer_mut("/requestBody/content/application~1json/schema") {
            members(body, &mut named);
        }
    }
    let mut done = BTreeSet::new();
    while let Some(name) = named.difference(&done).next().cloned() {
        if let Some(schema) = document["components"]["schemas"].get_mut(&name) {
            members(schema, &mut named);
        }
        done.insert(name);
    }
}

/// Goes through a schema, and notes which others it names.
fn members(schema: &mut Value, named: &mut BTreeSet<String>) {
    if let Some(name) = schema["$ref"].as_str().and_then(|at| at.rsplit('/').next()) {
        named.insert(name.to_owned());
    }
    let required: Vec<Value> = schema["required"].as_array().cloned().unwrap_or_default();
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, member) in properties.into_iter().flatten() {
        members(member, named);
        let value = member.take();
        *member = match required.contains(&json!(name)) {
            true => value,
            false => or_null(value),
        };
    }
    for several in ["oneOf", "allOf"] {
        let parts = schema.get_mut(several).and_then(Value::as_array_mut);
        parts.into_iter().flatten().for_each(|part| members(part, named));
    }
    if let Some(items) = schema.get_mut("items") {
        members(items, named);
    }
}

fn or_null(mut schema: Value) -> Value {
    let null = json!({ "type": "null" });
    match &schema["type"] {
        Value::String(one) if one != "null" => schema["type"] = json!([one, "null"]),
        Value::Array(several) if !several.contains(&json!("null")) => {
            let with: Vec<_> = several.iter().cloned().chain([json!("null")]).collect();
            schema["type"] = with.into();
        }
        Value::Null => match schema.get_mut("oneOf").and_then(Value::as_array_mut) {
            Some(ways) => {
                ways.retain(|way| *way != null);
                ways.push(null);
            }
            None => schema = json!({ "oneOf": [schema, null] }),
        },
        _ => {}
    }
    let values = schema.get_mut("enum").and_then(Value::as_array_mut);
    if let Some(values) = values.filter(|values| !values.contains(&Value::Null)) {
        values.push(Value::Null);
    }
    schema
}
