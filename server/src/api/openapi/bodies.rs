//! The bodies whose members are read in two parts: what one action takes, and what all of them take. The document shows
//! them together, put together from the very types that read them.

use std::borrow::Cow;

use model::{PeopleFilter, selection::MAX_PICKED};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        Array, ArrayBuilder, KnownFormat, Object, ObjectBuilder, OneOfBuilder, Ref, RefOr, Schema, SchemaFormat,
        schema::{AdditionalProperties, Type},
    },
};

use crate::{
    api::actions::submission::Common, api::actions::submission::PreviewRequest,
    api::actions::submission::PreviewTarget, api::actions::submission::SubmitRequest, api::target::TargetBody,
};

type Schemas = Vec<(String, RefOr<Schema>)>;

impl<T: ToSchema> PartialSchema for SubmitRequest<T> {
    fn schema() -> RefOr<Schema> {
        together(members::<T>(), members::<Common>())
    }
}

impl<T: ToSchema> ToSchema for SubmitRequest<T> {
    fn name() -> Cow<'static, str> {
        format!("{}SubmitRequest", T::name()).into()
    }

    fn schemas(schemas: &mut Schemas) {
        T::schemas(schemas);
        Common::schemas(schemas);
    }
}

impl<T: ToSchema> PartialSchema for PreviewRequest<T> {
    fn schema() -> RefOr<Schema> {
        together(members::<T>(), members::<PreviewTarget>())
    }
}

impl<T: ToSchema> ToSchema for PreviewRequest<T> {
    fn name() -> Cow<'static, str> {
        format!("{}PreviewRequest", T::name()).into()
    }

    fn schemas(schemas: &mut Schemas) {
        T::schemas(schemas);
        PreviewTarget::schemas(schemas);
    }
}

/// The members of all submits without the target, for an action that has its people already.
pub struct Confirmation;

impl PartialSchema for Confirmation {
    fn schema() -> RefOr<Schema> {
        let mut common = members::<Common>();
        common.properties.remove("target");
        let own =
            ObjectBuilder::new().description(Some("What surrounds an action that has its people already.")).build();
        together(own, common)
    }
}

impl ToSchema for Confirmation {}

fn members<T: ToSchema>() -> Object {
    match T::schema() {
        RefOr::T(Schema::Object(object)) => object,
        _ => Object::new(),
    }
}

fn together(own: Object, common: Object) -> RefOr<Schema> {
    let mut all = common;
    all.description = own.description;
    all.properties.extend(own.properties);
    all.required.extend(own.required);
    all.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
    RefOr::T(Schema::Object(all))
}

impl PartialSchema for TargetBody {
    fn schema() -> RefOr<Schema> {
        let uuid = || string().format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid)));
        let query = way("query", Ref::from_schema_name(PeopleFilter::name()));
        let ways = OneOfBuilder::new()
            .item(way("personIds", list(uuid())))
            .item(way("schoolIds", list(string())))
            .item(query.property("exclude", list(uuid())))
            .item(way("everyone", ObjectBuilder::new().schema_type(Type::Boolean).enum_values(Some([true]))))
            .description(Some(
                "At whom it is aimed: exactly one of these. `query` takes the filters of the list, as arrays.",
            ));
        ways.into()
    }
}

impl ToSchema for TargetBody {
    fn name() -> Cow<'static, str> {
        "Target".into()
    }

    fn schemas(schemas: &mut Schemas) {
        schemas.push((PeopleFilter::name().into_owned(), PeopleFilter::schema()));
        PeopleFilter::schemas(schemas);
    }
}

/// One way of naming people: an object with this member, and none that is not named here.
fn way(member: &str, schema: impl Into<RefOr<Schema>>) -> ObjectBuilder {
    ObjectBuilder::new()
        .property(member, schema)
        .required(member)
        .additional_properties(Some(AdditionalProperties::FreeForm(false)))
}

fn string() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

fn list(items: ObjectBuilder) -> Array {
    ArrayBuilder::new().items(items).max_items(Some(MAX_PICKED)).build()
}
