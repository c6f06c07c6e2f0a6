corecast machine: diff machines/toy_x86 machines/toy_wrong
