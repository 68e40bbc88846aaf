//! Locations as an agent reads them (rule L12).

use super::parts::passed_through;
use catalog::LanguageTag;
use jiff::Timestamp;
use jiff::civil::{Time, Weekday};
use location::place::PostalAddress;
use location::schedule::{DailyHour, ExceptionHour};
use location::{Location, Point, Schedule};
use protocol::wire;

/// `location` for a reader of `language`, with the exceptions that can still
/// matter at `now`.
pub(crate) fn location<'l>(
    location: &'l Location,
    language: Option<&LanguageTag>,
    now: Timestamp,
) -> wire::Location<'l> {
    let schedule = location.schedule.as_ref();
    wire::Location {
        id: location.id.as_str(),
        name: location.name.pick(language),
        address: location.address.as_ref().map(address),
        geo: location.geo.map(geo),
        amenities: location
            .amenities
            .iter()
            .map(|amenity| {
                let description = amenity.description.pick(language);
                (amenity.id.as_str(), wire::Amenity { description })
            })
            .collect(),
        hours: schedule.and_then(Schedule::weekly).map(|hours| hours.iter().map(daily).collect()),
        exception_hours: schedule
            .map(|schedule| schedule.upcoming_exceptions(now).into_iter().map(exception).collect())
            .unwrap_or_default(),
        timezone: schedule.map(Schedule::zone_name).or(location.time_zone.as_deref()),
        extensions: passed_through(&location.extensions),
    }
}

fn geo(point: Point) -> wire::Geo {
    wire::Geo { latitude: point.latitude(), longitude: point.longitude() }
}

fn address(address: &PostalAddress) -> wire::PostalAddress<'_> {
    let PostalAddress {
        extended_address,
        street_address,
        address_locality,
        address_region,
        address_country,
        postal_code,
        first_name,
        last_name,
        phone_number,
    } = address;
    wire::PostalAddress {
        extended_address: extended_address.as_deref(),
        street_address: street_address.as_deref(),
        address_locality: address_locality.as_deref(),
        address_region: address_region.as_deref(),
        address_country: address_country.as_deref(),
        postal_code: postal_code.as_deref(),
        first_name: first_name.as_deref(),
        last_name: last_name.as_deref(),
        phone_number: phone_number.as_deref(),
    }
}

fn daily(hour: &DailyHour) -> wire::DailyHour<'static> {
    wire::DailyHour { day: day(hour.day), opens: time(hour.opens), closes: time(hour.closes) }
}

fn exception(hour: &ExceptionHour) -> wire::ExceptionHour<'_> {
    wire::ExceptionHour {
        title: hour.title.as_deref(),
        valid_from: hour.valid_from.to_string().into(),
        valid_through: hour.valid_through.to_string().into(),
        opens: hour.interval.map(|(opens, _)| time(opens)),
        closes: hour.interval.map(|(_, closes)| time(closes)),
    }
}

fn time(time: Time) -> std::borrow::Cow<'static, str> {
    format!("{:02}:{:02}", time.hour(), time.minute()).into()
}

const fn day(day: Weekday) -> wire::Day {
    match day {
        Weekday::Monday => wire::Day::Monday,
        Weekday::Tuesday => wire::Day::Tuesday,
        Weekday::Wednesday => wire::Day::Wednesday,
        Weekday::Thursday => wire::Day::Thursday,
        Weekday::Friday => wire::Day::Friday,
        Weekday::Saturday => wire::Day::Saturday,
        Weekday::Sunday => wire::Day::Sunday,
    }
}
