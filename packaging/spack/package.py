# SPDX-License-Identifier: MIT
# Untested: its syntax is checked, it was not built by Spack.
from spack.package import *


class Carbon(AutotoolsPackage):
    """Energy and carbon accounting of jobs and machines."""

    # Beside it stands carbon-@VERSION@.tar.xz of `make dist`.
    url = "file:///carbon-@VERSION@.tar.xz"
    license("GPL-3.0-or-later AND MIT AND CC-BY-4.0 AND ODbL-1.0")
    version("@VERSION@")

    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")
    for name in ("cjson", "libcsv", "libmd", "inih", "gsl", "libyaml", "curl", "sqlite", "zlib-api", "libmicrohttpd",
                 "gnutls", "libxcrypt", "libpfm4", "elfutils", "expat"):
        depends_on(name)
