# A module that runs on every distribution with glibc 2.17 or later (cpp/portable/old_glibc.cpp), with nothing of its own to
# install: libstdc++, zlib and zstd are linked statically. libgcc_s stays shared: its unwinder must be the one that the
# process has, and every system with glibc has it.
#
# Sets CORECAST_PORTABLE to OFF, with a message, where something for that is not there; packages of distributions set it.

if(CORECAST_PORTABLE)
  set(_why "")
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=libstdc++.a
    OUTPUT_VARIABLE _libstdcxx OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  find_library(CORECAST_STATIC_ZLIB NAMES libz.a DOC "zlib as a static library")
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|aarch64)$")
    set(_why "for Linux on x86-64 and AArch64 only")
  elseif(CORECAST_SANITIZE)
    set(_why "sanitizers need the shared libraries")
  elseif(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(_why "the compiler is not GCC")
  elseif(NOT IS_ABSOLUTE "${_libstdcxx}")
    set(_why "there is no libstdc++.a")
  elseif(NOT CORECAST_STATIC_ZLIB)
    set(_why "there is no libz.a")
  else()
    include(CheckCXXSymbolExists)
    check_cxx_symbol_exists(__GLIBC__ features.h CORECAST_HAS_GLIBC)
    if(NOT CORECAST_HAS_GLIBC)
      set(_why "the C library is not glibc")
    endif()
  endif()
  if(_why)
    message(STATUS "corecast: the module will need this system's libraries (${_why})")
    set(CORECAST_PORTABLE OFF)
  endif()
endif()

function(corecast_make_portable module)
  if(NOT CORECAST_PORTABLE)
    return()
  endif()
  # Not optimized at link time: GCC moves top-level assembly to where it does not belong.
  add_library(corecast_portable OBJECT "${CMAKE_CURRENT_SOURCE_DIR}/cpp/portable/old_glibc.cpp")
  target_link_libraries(corecast_portable PRIVATE corecast_flags)
  target_compile_options(corecast_portable PRIVATE -fno-exceptions -fno-lto)
  target_link_libraries(${module} PRIVATE corecast_portable)
  target_link_options(${module} PRIVATE -static-libstdc++)
endfunction()
