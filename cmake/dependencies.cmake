# SPDX-License-Identifier: BSD-3-Clause
# Every library coppice links against. None of them shows in a public header.

find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(FastFloat REQUIRED)
# Found by name, since Debian's CMake files of libzip ask for programs of another package.
find_library(COPPICE_ZIP_LIBRARY zip REQUIRED)
find_path(COPPICE_ZIP_INCLUDE zip.h REQUIRED)
find_library(COPPICE_HWY_LIBRARY hwy REQUIRED)
find_path(COPPICE_HWY_INCLUDE hwy/highway.h REQUIRED)
find_path(COPPICE_RANDOM123_INCLUDE Random123/philox.h REQUIRED)
find_path(COPPICE_BOOST_INCLUDE boost/math/special_functions/digamma.hpp REQUIRED)

function(coppice_link_dependencies target)
  target_link_libraries(${target}
    PUBLIC Threads::Threads
    PRIVATE $<BUILD_INTERFACE:Eigen3::Eigen> fmt::fmt $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>
            $<BUILD_INTERFACE:FastFloat::fast_float> zip hwy)
  target_include_directories(${target} SYSTEM PRIVATE ${COPPICE_ZIP_INCLUDE} ${COPPICE_HWY_INCLUDE}
                             ${COPPICE_RANDOM123_INCLUDE} ${COPPICE_BOOST_INCLUDE})
endfunction()
