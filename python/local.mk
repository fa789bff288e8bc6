# SPDX-License-Identifier: MIT
# The Python package, and in it where libcarbon was installed with it.
PYTHON_FILES = \
  python/carbon/__init__.py python/carbon/_energy.py python/carbon/_error.py python/carbon/_library.py \
  python/carbon/_measure.py python/carbon/_memory.py python/carbon/_meter.py
if HAVE_PYTHON
carbonpydir = $(pythondir)/carbon
carbonpy_PYTHON = $(PYTHON_FILES)
nodist_carbonpy_PYTHON = python/carbon/_build.py
all-local: $(nodist_carbonpy_PYTHON)
python/carbon/_build.py: Makefile
	$(AM_V_GEN)$(MKDIR_P) python/carbon && \
	printf '%s\n' '# Made by make.' '"""Where libcarbon is installed."""' "LIBDIR = '$(libdir)'" > $@
endif
EXTRA_DIST += $(PYTHON_FILES)
CLEANFILES += python/carbon/_build.py
