"""The ids of the cases by area: inputs that broke other servers, each of which a test here is named after."""

CASES = {
    "JSON-RPC": "JR-01 JR-02 JR-04 JR-06 JR-08 JR-09 JR-10 JR-12 JR-13 JR-14 JR-17 JR-18 JR-19",
    "transport": "T-01 T-02 T-04 T-06 T-07 T-09 T-10 T-11 T-13 T-14",
    "version negotiation": "V-01 V-02 V-04 V-05 V-06 V-07 V-10",
    "headers": "HD-01 HD-03 HD-05 HD-06 HD-07",
    "tools schema": "TS-01 TS-02 TS-03 TS-04 TS-05 TS-06 TS-09 TS-11 TS-12 TS-14 TS-15 TS-16",
    "confirmation": "MR-01 MR-02 MR-03 MR-06",
    "DRF dispatch": "DR-01 DR-02 DR-04 DR-05 DR-07 DR-08 DR-09 DR-12",
    "origin and CORS": "OR-01 OR-02 OR-03 OR-05",
    "body limit": "BL-01",
    "unicode": "UN-01 UN-03",
    "rate limit": "RL-01",
    "pagination": "PG-01",
}
