/* Kernels that the SVE thesis (Brank) studies, written anew from its descriptions, for vectors of any length:
 *   clang-19 --target=aarch64-linux-gnu -O2 -march=armv8.2-a+sve -S NAME.c -o NAME.clang.s */
#include <arm_sve.h>
#include <stdint.h>
