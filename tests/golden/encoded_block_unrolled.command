# corecast: --hex "48 8b 07 48 01 d8 48 89 07 48 83 c7 08" --mode unroll --cpu haswell
# Bytes, copies after each other: the legacy decoders deliver.
