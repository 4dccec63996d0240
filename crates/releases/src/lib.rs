//! How releases differ: `Release` -> `Rules`, limits, quirks. Data, no behaviour.
