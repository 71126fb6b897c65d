# SPDX-License-Identifier: MIT
# What a Debian package has beyond what is installed; run by CPack before the package is made.
if(NOT CPACK_PACKAGE_CONTACT MATCHES "^[^<>]+ <[^<> ]+@[^<> ]+>$")
  message(FATAL_ERROR "A Debian package names its maintainer: set ISOLUME_MAINTAINER to 'Name <address>', not '${CPACK_PACKAGE_CONTACT}'")
endif()
set(usr ${CPACK_TEMPORARY_DIRECTORY}/usr)
set(doc ${usr}/share/doc/${CPACK_PACKAGE_NAME})
file(MAKE_DIRECTORY ${doc})
configure_file(${CPACK_ISOLUME_SOURCE}/packaging/debian_copyright.txt ${doc}/copyright COPYONLY)
execute_process(COMMAND date --rfc-email --date=2026-11-22T12:00:00Z OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE)
file(WRITE ${doc}/changelog "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * The changes are in CHANGELOG.md of the source.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(GLOB pages ${usr}/share/man/man1/*.1)
execute_process(COMMAND gzip -9nf ${doc}/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE files ${usr}/share/* ${usr}/lib/*)
file(CHMOD ${files} ${doc}/copyright PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
