# SPDX-License-Identifier: BSD-3-Clause
# What every target of this project is compiled with; nothing here reaches those who use the package.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_EXTENSIONS OFF)

find_program(COPPICE_CCACHE ccache)
if(COPPICE_CCACHE AND PROJECT_IS_TOP_LEVEL)
  # Without these it leaves alone whatever uses precompiled headers; nothing here hangs on __TIME__ or on a -D beside them.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${COPPICE_CCACHE})
endif()

function(coppice_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion)
  # Clang 14 takes the 0 inside a defaulted operator<=> for a null pointer; GCC looks for what people wrote.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wzero-as-null-pointer-constant>)
  if(COPPICE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(COPPICE_ASSERTIONS)
    target_compile_definitions(${target} PRIVATE COPPICE_ASSERTIONS)
  endif()
endfunction()

# Headers of others, parsed once for all sources of a target: most of the time of a short file. GCC alone, so that the builds
# with Clang (tidy, fuzzers) go on to show that every file includes what it uses. Targets with the same options can share
# them: coppice_precompile(b REUSE_FROM a).
function(coppice_precompile target)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  if(ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} ${ARGN})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# Adds sources to a target: coppice_sources(target folder a.cpp TOGETHER b.cpp c.cpp TOGETHER d.cpp e.cpp). Those of a group are
# compiled as one, since most of the time of a short file goes to the headers and templates that it shares with its
# neighbours. Never files with flags of their own (CMake leaves those out), nor those that Highway compiles several times.
# With Clang only if asked for, as for the sanitizers: clang-tidy and fuzzers take files one by one, and so show that every
# one includes what it uses.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(COPPICE_IN_GROUPS ON)
else()
  option(COPPICE_IN_GROUPS "Compile sources in groups, which takes less time" OFF)
endif()

function(coppice_sources target folder)
  set(n_groups 0)
  foreach(word IN LISTS ARGN)
    if(word STREQUAL "TOGETHER")
      math(EXPR n_groups "${n_groups} + 1")
      continue()
    endif()
    set(source ${folder}/${word})
    target_sources(${target} PRIVATE ${source})
    if(n_groups GREATER 0 AND COPPICE_IN_GROUPS)
      file(STRINGS ${source} several_times REGEX "foreach_target" LIMIT_COUNT 1)
      if(several_times)
        message(FATAL_ERROR "${source} is compiled by Highway once for every kind of processor: it cannot be in a group")
      endif()
      get_filename_component(group ${folder} NAME)
      set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group}_${n_groups})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# Sources that are not worth the time of -O3: their own loops are short, the long ones are in the library.
function(coppice_optimise_lightly target)
  target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>)
endfunction()

# Adds one layer: coppice_layer(data SOURCES a.cpp HEADERS a.hpp INTERNAL b.hpp). HEADERS are installed, since people may use
# them; INTERNAL ones are for other layers alone (scripts/check-installed tells which is which).
function(coppice_layer name)
  cmake_parse_arguments(LAYER "" "" "SOURCES;HEADERS;INTERNAL" ${ARGN})
  list(TRANSFORM LAYER_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/include/coppice/${name}/)
  list(TRANSFORM LAYER_INTERNAL PREPEND ${PROJECT_SOURCE_DIR}/include/coppice/${name}/)
  coppice_sources(coppice ${PROJECT_SOURCE_DIR}/src/${name} ${LAYER_SOURCES})
  target_sources(coppice PUBLIC FILE_SET HEADERS FILES ${LAYER_HEADERS})
  target_sources(coppice-internal INTERFACE FILE_SET HEADERS FILES ${LAYER_INTERNAL})
endfunction()
