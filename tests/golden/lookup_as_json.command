corecast lookup: "vaddsd xmm, xmm, m64" --machine machines/toy_x86 --format json
