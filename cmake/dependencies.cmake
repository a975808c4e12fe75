# SPDX-License-Identifier: BSD-3-Clause
# Every library coppice links against. None of them shows in a header that is installed.

find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(FastFloat REQUIRED)
# Found by name, since Debian's CMake files of libzip ask for programs of another package.
find_library(COPPICE_ZIP_LIBRARY zip REQUIRED)
find_path(COPPICE_ZIP_INCLUDE zip.h REQUIRED)
find_library(COPPICE_ARCHIVE_LIBRARY archive REQUIRED)
find_path(COPPICE_ARCHIVE_INCLUDE archive.h REQUIRED)
find_library(COPPICE_ZLIB_LIBRARY z REQUIRED)
find_path(COPPICE_ZLIB_INCLUDE zlib.h REQUIRED)
find_library(COPPICE_HWY_LIBRARY hwy REQUIRED)
find_path(COPPICE_HWY_INCLUDE hwy/highway.h REQUIRED)
find_path(COPPICE_RANDOM123_INCLUDE Random123/philox.h REQUIRED)
find_path(COPPICE_BOOST_INCLUDE boost/math/special_functions/digamma.hpp REQUIRED)
# Formats that are left out where their library is missing. Debian keeps the serial HDF5 in places of its own.
find_library(COPPICE_HDF5_LIBRARY NAMES hdf5_serial hdf5)
find_path(COPPICE_HDF5_INCLUDE hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(COPPICE_SQLITE_LIBRARY sqlite3)
find_path(COPPICE_SQLITE_INCLUDE sqlite3.h)
foreach(format HDF5 SQLITE)
  set(is_found OFF)
  if(COPPICE_${format}_LIBRARY AND COPPICE_${format}_INCLUDE)
    set(is_found ON)
  endif()
  option(COPPICE_${format} "Read ${format} files" ${is_found})
  if(COPPICE_${format} AND NOT is_found)
    message(FATAL_ERROR "COPPICE_${format} is ON, but the library or its header is not installed")
  endif()
endforeach()

function(coppice_link_dependencies target)
  target_link_libraries(${target}
    PUBLIC Threads::Threads
    PRIVATE $<BUILD_INTERFACE:Eigen3::Eigen> fmt::fmt $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>
            $<BUILD_INTERFACE:FastFloat::fast_float> zip archive z hwy)
  target_include_directories(${target} SYSTEM PRIVATE ${COPPICE_ZIP_INCLUDE} ${COPPICE_ARCHIVE_INCLUDE} ${COPPICE_ZLIB_INCLUDE}
                             ${COPPICE_HWY_INCLUDE}
                             ${COPPICE_RANDOM123_INCLUDE} ${COPPICE_BOOST_INCLUDE})
  foreach(format HDF5 SQLITE)
    if(COPPICE_${format})
      # By its name, as the others, so that an installed package finds it wherever it is then.
      get_filename_component(name ${COPPICE_${format}_LIBRARY} NAME_WE)
      string(REGEX REPLACE "^lib" "" name ${name})
      target_link_libraries(${target} PRIVATE ${name})
      target_include_directories(${target} SYSTEM PRIVATE ${COPPICE_${format}_INCLUDE})
    endif()
  endforeach()
endfunction()
