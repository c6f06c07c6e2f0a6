# corecast: ../data/asm/gcc12_aarch64.o --function nested --cpu thunderx2
# The innermost loop of a function of an object file.
