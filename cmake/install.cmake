# SPDX-License-Identifier: BSD-3-Clause
# `cmake --install` makes the package that find_package(coppice) finds.

include(CMakePackageConfigHelpers)

install(TARGETS coppice EXPORT coppice-targets FILE_SET HEADERS)
install(EXPORT coppice-targets NAMESPACE coppice:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/coppice)
configure_package_config_file(cmake/coppice-config.cmake.in ${PROJECT_BINARY_DIR}/coppice-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/coppice)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/coppice-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/coppice-config.cmake ${PROJECT_BINARY_DIR}/coppice-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/coppice)
if(TARGET coppice-cli)
  install(TARGETS coppice-cli)
endif()
