//! Store lists as CSV: the bulk file of Google Business Profile.
//!
//! The file has no time zone; it is derived from the coordinates. Its many
//! attribute columns say nothing that a Location has, and are passed over.

mod clock;

use crate::lines::Lines;
use crate::problem::{Fault, Problem, ProblemCode, Severity};
use crate::row::Row;
use crate::table::{Table, lacking};
use crate::texts::title;
use crate::zoned::{Hours, located};
use crate::{Defaults, Record, Tally};
use catalog::Localized;
use csv::StringRecord;
use jiff::civil::Weekday;
use location::geo::PointFault;
use location::place::PostalAddress;
use location::schedule::{DailyHour, ExceptionHour};
use location::{Location, LocationFacts, LocationId, Point};
use serde_json::Map;

const STORE_CODE: &str = "Store code";
const NAME: &str = "Business name";
const LINES: [&str; 5] =
    ["Address line 1", "Address line 2", "Address line 3", "Address line 4", "Address line 5"];
const LOCALITY: &str = "Locality";
const REGION: &str = "Administrative area";
const COUNTRY: &str = "Country / Region";
const POSTAL_CODE: &str = "Postal code";
const LATITUDE: &str = "Latitude";
const LONGITUDE: &str = "Longitude";
const PHONE: &str = "Primary phone";
const TIME_ZONE: &str = "Time zone";
const SPECIAL: &str = "Special hours";
const DAYS: [(&str, Weekday); 7] = [
    ("Sunday hours", Weekday::Sunday),
    ("Monday hours", Weekday::Monday),
    ("Tuesday hours", Weekday::Tuesday),
    ("Wednesday hours", Weekday::Wednesday),
    ("Thursday hours", Weekday::Thursday),
    ("Friday hours", Weekday::Friday),
    ("Saturday hours", Weekday::Saturday),
];

/// Reads a file of one store a record.
pub(crate) fn read(
    file: &str,
    lines: Lines<'_>,
    defaults: &Defaults,
    on: &mut dyn FnMut(Record<Location>),
) -> Tally {
    let mut tally = Tally::default();
    let Some((mut table, line, header)) = Table::open(lines) else {
        return tally;
    };
    let columns = match header.and_then(columns) {
        Ok(columns) => columns,
        Err(fault) => {
            on(Record::Problem(fault.at(file, line, Severity::Refused)));
            return tally;
        }
    };
    while let Some((line, record)) = table.next() {
        let is_row = !record.as_ref().is_err_and(|fault| fault.ends_feed());
        tally.rows += u64::from(is_row);
        let mut on_problem = |problem: Problem| on(Record::Problem(problem));
        let mut row = Row::new(file, line, &mut on_problem);
        let read = row.or_refuse(record).and_then(|fields| {
            let cells = Cells { columns: &columns, fields };
            store(&mut row, &cells, defaults, &mut tally.zones_derived)
        });
        match read {
            Some(value) => on(Record::Value { line, value }),
            None => tally.refused += u64::from(is_row),
        }
    }
    tally
}

/// Whether a header is one of this format.
pub(crate) fn is_header(names: &[&str]) -> bool {
    let has = |wanted: &str| names.iter().any(|name| name.trim().eq_ignore_ascii_case(wanted));
    has(STORE_CODE) && has(NAME)
}

fn columns(names: Vec<String>) -> Result<Vec<String>, Fault> {
    let has = |wanted: &&str| names.iter().any(|name| name.eq_ignore_ascii_case(wanted));
    let missing: Vec<&str> = [STORE_CODE, NAME].into_iter().filter(|name| !has(name)).collect();
    if missing.is_empty() {
        return Ok(names);
    }
    Err(lacking(&missing, "Store code and Business name are needed"))
}

/// One record by the names of its columns.
struct Cells<'f> {
    columns: &'f [String],
    fields: &'f StringRecord,
}

impl Cells<'_> {
    fn cell(&self, name: &str) -> Option<&str> {
        let place = self.columns.iter().position(|known| known.eq_ignore_ascii_case(name))?;
        self.fields.get(place).map(str::trim).filter(|text| !text.is_empty())
    }

    fn owned(&self, name: &str) -> Option<String> {
        self.cell(name).map(str::to_owned)
    }
}

/// Reads a record; `None` when it is refused, which is then reported.
fn store(
    row: &mut Row<'_>,
    cells: &Cells<'_>,
    defaults: &Defaults,
    zones_derived: &mut u64,
) -> Option<Location> {
    let mut demanded = |name: &str| {
        let text = cells.cell(name);
        if text.is_none() {
            row.refuse(Fault::new(name, ProblemCode::Missing, "is blank"));
        }
        text
    };
    let (id, name) = (demanded(STORE_CODE).and_then(LocationId::new), demanded(NAME));
    let (id, name) = (id?, name?);
    let name = title(row, NAME, name);
    let geo = point(cells);
    let geo = row.or_warn(geo).flatten();
    let hours = hours(row, cells);
    let zone = cells.cell(TIME_ZONE);
    let (schedule, time_zone) = located(row, zone, geo, hours, zones_derived);
    let more: Vec<&str> = LINES[1..].iter().filter_map(|line| cells.cell(line)).collect();
    let address = PostalAddress {
        street_address: cells.owned(LINES[0]),
        extended_address: (!more.is_empty()).then(|| more.join(", ")),
        address_locality: cells.owned(LOCALITY),
        address_region: cells.owned(REGION),
        address_country: cells.owned(COUNTRY),
        postal_code: cells.owned(POSTAL_CODE),
        phone_number: cells.owned(PHONE),
        ..PostalAddress::default()
    };
    Some(Location::new(LocationFacts {
        id,
        aliases: Vec::new(),
        private: false,
        name: Localized::new(defaults.language.clone(), name),
        address: Some(address).filter(|address| *address != PostalAddress::default()),
        geo,
        amenities: Vec::new(),
        time_zone,
        schedule,
        service_areas: Vec::new(),
        extensions: Map::new(),
    }))
}

fn point(cells: &Cells<'_>) -> Result<Option<Point>, Fault> {
    let fault = |name, why: String| Fault::new(name, ProblemCode::InvalidValue, why);
    let degrees = |name: &'static str| {
        let Some(text) = cells.cell(name) else { return Ok(None) };
        // Spreadsheets write a comma where it is the decimal mark.
        let number = text.replacen(',', ".", 1).parse::<f64>();
        number
            .map(Some)
            .map_err(|_| fault(name, format!("`{}` is no number", crate::problem::excerpt(text))))
    };
    match (degrees(LATITUDE)?, degrees(LONGITUDE)?) {
        (None, None) => Ok(None),
        (Some(latitude), Some(longitude)) => {
            Point::new(latitude, longitude).map(Some).map_err(|why| match why {
                PointFault::Latitude(_) => fault(LATITUDE, why.to_string()),
                PointFault::Longitude(_) => fault(LONGITUDE, why.to_string()),
            })
        }
        (None, _) => Err(Fault::new(LATITUDE, ProblemCode::Missing, "is blank")),
        (_, None) => Err(Fault::new(LONGITUDE, ProblemCode::Missing, "is blank")),
    }
}

/// The hours that the record says, all of them or none (rule H6). A day that is
/// blank among others that are not is closed; a week that is blank is unknown.
fn hours(row: &mut Row<'_>, cells: &Cells<'_>) -> Option<Hours> {
    let mut good = true;
    let mut weekly = Vec::new();
    for (name, weekday) in DAYS {
        let Some(text) = cells.cell(name) else { continue };
        match clock::day(text) {
            Ok(intervals) => {
                weekly.extend(intervals.into_iter().map(|(opens, closes)| DailyHour {
                    day: weekday,
                    opens,
                    closes,
                }))
            }
            Err(why) => {
                good = false;
                warn(row, name, &why);
            }
        }
    }
    let says_week = DAYS.iter().any(|(name, _)| cells.cell(name).is_some());
    let mut exceptions = Vec::new();
    match clock::special(cells.cell(SPECIAL).unwrap_or_default()) {
        Ok(special) => exceptions.extend(special.into_iter().map(|(date, interval)| {
            ExceptionHour { title: None, valid_from: date, valid_through: date, interval }
        })),
        Err(why) => {
            good = false;
            warn(row, SPECIAL, &why);
        }
    }
    let says_something = says_week || !exceptions.is_empty();
    (good && says_something).then(|| Hours { weekly: says_week.then_some(weekly), exceptions })
}

fn warn(row: &mut Row<'_>, name: &str, why: &str) {
    let text = format!("{why}; the Location is served without hours");
    row.warn(Fault::new(name, ProblemCode::InvalidSchedule, text));
}
