# SPDX-License-Identifier: MIT
# A Debian package of what is installed, by CPack: ./dev deb builds it.
set(CPACK_GENERATOR DEB)
# A program without CUDA is the package isolume, one with it isolume-cuda, which takes its place and does all that it does.
set(CPACK_PACKAGE_NAME isolume)
if(ISOLUME_HAS_CUDA)
  set(CPACK_PACKAGE_NAME isolume-cuda)
endif()
set(CPACK_PACKAGE_VENDOR "The Isolume developers")
set(ISOLUME_MAINTAINER "" CACHE STRING "Who a Debian package names as its maintainer: Name <address>; needed for one")
set(CPACK_PACKAGE_CONTACT "${ISOLUME_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "molecular viewer that computes fields live")
set(where "")
if(ISOLUME_HAS_CUDA)
  set(where ", on an NVIDIA graphics card or on the processor")
  string(APPEND CPACK_PACKAGE_DESCRIPTION_SUMMARY " (CUDA)")
endif()
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
  "Isolume shows molecules and computes what surrounds them: density surfaces,
molecular orbitals and electrostatic potentials, in every frame of a
trajectory${where}.

All of it works from the command line and from Python too.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_MONOLITHIC_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
if(ISOLUME_HAS_CUDA)
  set(CPACK_DEBIAN_PACKAGE_SECTION non-free/science)  # NVIDIA's runtime is compiled in
  set(CPACK_DEBIAN_PACKAGE_PROVIDES "isolume (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_PACKAGE_CONFLICTS isolume)
  set(CPACK_DEBIAN_PACKAGE_REPLACES isolume)
endif()
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Opened at run time: OpenGL without a display; ffmpeg writes movies; the Python package needs NumPy.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libegl1")
if(ISOLUME_WINDOW)
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", qt6-qpa-plugins")  # opened by Qt: a display of X11
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ffmpeg, libgl1-mesa-dri, python3, python3-numpy")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/packaging/debian_files.cmake)
set(CPACK_ISOLUME_SOURCE ${CMAKE_SOURCE_DIR})
include(CPack)
