# A Debian package of what `cmake --install` puts in place: `cpack -G DEB` in the build folder. Which libraries it depends
# on, and in which versions, dpkg-shlibdeps finds out from the program.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME espalier)
set(CPACK_PACKAGE_VENDOR "Espalier")
set(CPACK_PACKAGE_CONTACT "Espalier maintainers <maintainers@espalier.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "generates test suites from protocol models")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Espalier searches a model of a protocol, by bounded symbolic execution, for inputs that reach
its states, transitions, branches and requirements, and writes a test suite. Suites are
replayed on the model and executed against real systems.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT) # espalier_0.1.0_amd64.deb
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS graphviz) # for `graph -o FILE.svg`
set(CPACK_DEBIAN_PACKAGE_SUGGESTS python3) # for the adapters
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/debian.cmake")
include(CPack)
