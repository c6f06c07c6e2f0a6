"""The local page: `corecast serve`. It parses requests and returns what `api` and `report` say; it computes nothing."""
