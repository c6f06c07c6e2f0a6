# LLVM's MC libraries (assembler parsers, disassemblers, target tables), linked statically.
#
# Defines the target corecast::llvm_mc. Looks for llvm-config of version 22 down to 19, or takes -DLLVM_CONFIG=/path/to/llvm-config.
# The libraries are asked from llvm-config and not from LLVM's CMake package: that one demands every tool and library of
# the distribution's other packages to be installed.

set(CORECAST_LLVM_OLDEST 19)
set(CORECAST_LLVM_NEWEST 22)

if(NOT LLVM_CONFIG)
  set(_names "")
  foreach(_offset RANGE ${CORECAST_LLVM_OLDEST} ${CORECAST_LLVM_NEWEST})
    list(PREPEND _names "llvm-config-${_offset}")
  endforeach()
  find_program(LLVM_CONFIG NAMES ${_names} llvm-config NAMES_PER_DIR
    HINTS /opt/homebrew/opt/llvm/bin /usr/local/opt/llvm/bin DOC "llvm-config of LLVM ${CORECAST_LLVM_OLDEST} to ${CORECAST_LLVM_NEWEST}")
endif()
if(NOT LLVM_CONFIG)
  message(FATAL_ERROR "LLVM ${CORECAST_LLVM_OLDEST} to ${CORECAST_LLVM_NEWEST} not found. "
    "Install llvm-${CORECAST_LLVM_NEWEST}-dev (scripts/install-system does), or give -DLLVM_CONFIG=/path/to/llvm-config.")
endif()

function(corecast_llvm_config result)
  execute_process(COMMAND "${LLVM_CONFIG}" ${ARGN}
    OUTPUT_VARIABLE _output ERROR_VARIABLE _error RESULT_VARIABLE _status OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT _status EQUAL 0)
    list(JOIN ARGN " " _arguments)
    message(FATAL_ERROR "${LLVM_CONFIG} ${_arguments} failed: ${_error}")
  endif()
  separate_arguments(_output NATIVE_COMMAND "${_output}")
  set(${result} "${_output}" PARENT_SCOPE)
endfunction()

corecast_llvm_config(LLVM_VERSION --version)
if(LLVM_VERSION VERSION_LESS CORECAST_LLVM_OLDEST)
  message(FATAL_ERROR "${LLVM_CONFIG} is LLVM ${LLVM_VERSION}; ${CORECAST_LLVM_OLDEST} is the oldest that corecast supports.")
endif()
string(REGEX MATCH "^[0-9]+" _llvm_major "${LLVM_VERSION}")
if(_llvm_major GREATER CORECAST_LLVM_NEWEST)
  message(WARNING "${LLVM_CONFIG} is LLVM ${LLVM_VERSION}; nothing newer than ${CORECAST_LLVM_NEWEST} has been tested.")
endif()

set(_components mc mcparser mcdisassembler support targetparser aarch64utils)
foreach(_target x86 aarch64 riscv)
  list(APPEND _components ${_target}asmparser ${_target}disassembler ${_target}desc ${_target}info)
endforeach()
corecast_llvm_config(_llvm_libraries --link-static --libfiles ${_components})
corecast_llvm_config(_llvm_includes --includedir)

# LLVM's support library compresses debug sections. --system-libs would name more than these two, none of it needed here.
find_package(ZLIB REQUIRED)
add_library(corecast_zlib INTERFACE)
target_include_directories(corecast_zlib SYSTEM INTERFACE ${ZLIB_INCLUDE_DIRS})
if(CORECAST_PORTABLE)
  target_link_libraries(corecast_zlib INTERFACE "${CORECAST_STATIC_ZLIB}")
else()
  target_link_libraries(corecast_zlib INTERFACE ZLIB::ZLIB)
endif()
find_library(CORECAST_ZSTD NAMES libzstd.a zstd REQUIRED DOC "zstd, static where there is one")

add_library(corecast_llvm_mc INTERFACE)
add_library(corecast::llvm_mc ALIAS corecast_llvm_mc)
target_include_directories(corecast_llvm_mc SYSTEM INTERFACE ${_llvm_includes})
target_compile_definitions(corecast_llvm_mc INTERFACE
  __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS LLVM_DISABLE_ABI_BREAKING_CHECKS_ENFORCING)
target_link_libraries(corecast_llvm_mc INTERFACE ${_llvm_libraries} corecast_zlib ${CORECAST_ZSTD} ${CMAKE_DL_LIBS})

message(STATUS "corecast: LLVM ${LLVM_VERSION} from ${LLVM_CONFIG}")
