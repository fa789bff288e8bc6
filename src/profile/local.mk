# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libprofile.a
%C%_libprofile_a_SOURCES = \
  %D%/call_tree.c %D%/call_tree.h %D%/demangle.c %D%/demangle.h %D%/elf_frames.c %D%/elf_frames.h %D%/elf_segments.c \
  %D%/elf_segments.h %D%/elf_symbols.c %D%/elf_symbols.h %D%/kernel_symbols.c %D%/kernel_symbols.h %D%/object_lines.c \
  %D%/object_lines.h %D%/objects.c %D%/objects.h %D%/perf_map.c %D%/perf_map.h %D%/perf_record.c %D%/perf_record.h \
  %D%/processes.c %D%/processes.h %D%/reader_process.c %D%/reader_process.h %D%/rings.c %D%/rings.h %D%/sampler.c \
  %D%/sampler.h %D%/symbols.c %D%/symbols.h %D%/tally.c %D%/tally.h %D%/unwind.c %D%/unwind.h %D%/unwind_rules.c \
  %D%/unwind_rules.h
