corecast machine: check machines/toy_wrong --format json
