# corecast: ../data/asm/gcc12_x86.o --function daxpy --cpu skylake_x
# Rows by address, with the source lines of the debug information; alignment counts.
