//! `amount.json`: money in minor units (rule C6).

use schemars::json_schema;

/// The largest integer that every JSON reader holds exactly, 2^53 - 1.
pub const MAX_SAFE_INTEGER: u64 = 9_007_199_254_740_991;

super::definition! {
    /// An amount of money in the minor unit of its currency.
    Amount(_) {
        json_schema!({
            "type": "integer",
            "minimum": 0,
            "maximum": MAX_SAFE_INTEGER,
            "description": "Integer in the minor unit of the currency: 1999 with USD is 19.99, \
                            1999 with JPY is 1999 yen.",
        })
    }
}
