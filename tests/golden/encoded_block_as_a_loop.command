# corecast: --hex 480fafd84883c708 --cpu zen2
# A block without a branch is closed by an assumed one.
