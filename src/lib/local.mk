# SPDX-License-Identifier: MIT
# The C library: include/carbon.h over the meter and the emissions.
lib_LTLIBRARIES = libcarbon.la
include_HEADERS = include/carbon.h
libcarbon_la_SOURCES = \
  %D%/bound.c %D%/carbon.c %D%/csv_opened.c %D%/facts.c %D%/keeper.c %D%/lock.c %D%/meter_idle.c %D%/meter_load.c \
  %D%/meter_own.c %D%/meter_parts.h %D%/piece.c %D%/stamps.c %D%/taken.c %D%/verdict.c
# The rooms it stands on: the linker takes what is wanted of them and no more. libtool would warn of archives, which not
# every system takes into a shared library; it is not shown them.
LIBRARY_ROOMS = src/emissions/libemissions.a src/meter/libmeter.a src/energy/libenergy.a src/power/libpower.a \
  src/base/libbase.a
libcarbon_la_LIBADD = $(PTHREAD_LIBS) -lm
libcarbon_la_LDFLAGS = $(AM_LDFLAGS) -version-info 2:0:1 -no-undefined $(LIBRARY_ROOMS:%=-Wl,%)
if VERSION_SCRIPT
libcarbon_la_LDFLAGS += -Wl,--version-script=$(srcdir)/src/lib/carbon.map
else
libcarbon_la_LDFLAGS += -export-symbols-regex '^carbon_'
endif
EXTRA_libcarbon_la_DEPENDENCIES = src/lib/carbon.map $(LIBRARY_ROOMS)
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = carbon.pc

# Not libtool's own: that one would show every name in it.
if STATIC_LIBRARY
archivedir = $(libdir)
nodist_archive_DATA = libcarbon.a
libcarbon.a: libcarbon.la
	$(AM_V_AR)rm -f $@ && \
	@JOIN@ -o src/lib/libcarbon-whole.o $(am_libcarbon_la_OBJECTS:src/lib/%.lo=src/lib/.libs/%.o) $(LIBRARY_ROOMS) && \
	$(OBJCOPY) --wildcard --keep-global-symbol='carbon_*' src/lib/libcarbon-whole.o && \
	$(AR) cr $@ src/lib/libcarbon-whole.o && $(RANLIB) $@
MOSTLYCLEANFILES = src/lib/libcarbon-whole.o libcarbon.a
endif

EXTRA_DIST += src/lib/carbon.map
