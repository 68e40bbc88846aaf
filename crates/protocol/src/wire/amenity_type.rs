//! `amenity_type.json`: the identity of an amenity (rule L6).

use super::reverse_domain_name::ReverseDomainName;

super::definition! {
    /// The reverse-domain name of an amenity, such as `dev.ucp.amenity.parking`.
    AmenityType(generator) {
        let mut schema = generator.subschema_for::<ReverseDomainName>();
        schema.insert(
            "description".to_owned(),
            "Name of an amenity in reverse-domain form, such as dev.ucp.amenity.parking.".into(),
        );
        schema
    }
}
