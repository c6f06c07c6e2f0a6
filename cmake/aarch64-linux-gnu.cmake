# Building for AArch64 with the cross compiler of Debian and Ubuntu (g++-aarch64-linux-gnu). CORECAST_SYSROOT is a folder with
# LLVM, zlib and zstd for AArch64; the C library comes with the compiler.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CORECAST_SYSROOT)

set(CMAKE_FIND_ROOT_PATH "${CORECAST_SYSROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH) # Python's headers are this machine's
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH) # nanobind's files too
