# SPDX-License-Identifier: MIT
# The Python package over libcarbon, and in it where libcarbon was installed with it. `carbon` is its short name.
PYTHON_FILES = \
  python/libcarbon/__init__.py python/libcarbon/_energy.py python/libcarbon/_error.py python/libcarbon/_library.py \
  python/libcarbon/_measure.py python/libcarbon/_memory.py python/libcarbon/_meter.py
# Its types, for who checks programs by them.
PYTHON_TYPES = python/libcarbon/__init__.pyi python/libcarbon/py.typed
PYTHON_ALIAS = python/carbon/__init__.py
if HAVE_PYTHON
libcarbonpydir = $(pythondir)/libcarbon
libcarbonpy_PYTHON = $(PYTHON_FILES)
libcarbonpy_DATA = $(PYTHON_TYPES)
nodist_libcarbonpy_PYTHON = python/libcarbon/_build.py
carbonpydir = $(pythondir)/carbon
carbonpy_PYTHON = $(PYTHON_ALIAS)
all-local: $(nodist_libcarbonpy_PYTHON)
python/libcarbon/_build.py: Makefile
	$(AM_V_GEN)$(MKDIR_P) python/libcarbon && \
	printf '%s\n' '# Made by make.' '"""Where libcarbon is installed."""' "LIBDIR = '$(libdir)'" > $@
endif
EXTRA_DIST += $(PYTHON_FILES) $(PYTHON_TYPES) $(PYTHON_ALIAS)
CLEANFILES += python/libcarbon/_build.py
