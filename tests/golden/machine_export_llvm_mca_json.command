corecast machine: export machines/toy_x86 --format llvm-mca-json
