corecast machine: check machines/toy_x86
