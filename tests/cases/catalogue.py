"""The ids of the cases by area: inputs that broke other servers, each of which a test here is named after."""

CASES = {
    "JSON-RPC": "JR-01 JR-02 JR-04 JR-06 JR-08 JR-09 JR-10 JR-12 JR-13 JR-14 JR-17 JR-18 JR-19",
    "transport": "T-01 T-02 T-04 T-06 T-07 T-09 T-10 T-11 T-13 T-14",
    "version negotiation": "V-01 V-02 V-04 V-05 V-06 V-07 V-10",
    "headers": "HD-01 HD-03 HD-05 HD-06 HD-07",
    "origin and CORS": "OR-01 OR-02 OR-03 OR-05",
    "body limit": "BL-01",
    "unicode": "UN-01 UN-03",
    "rate limit": "RL-01",
    "pagination": "PG-01",
}
