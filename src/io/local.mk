# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libio.a
%C%_libio_a_SOURCES = \
  %D%/arena.c %D%/arena.h %D%/content_id.c %D%/content_id.h %D%/disk_map.c %D%/disk_map.h %D%/file_register.c %D%/file_register.h %D%/http.c \
  %D%/http.h %D%/http_answer.c %D%/http_answer.h %D%/http_curl.c %D%/http_curl.h %D%/http_fault.c %D%/http_parts.h \
  %D%/http_url.c %D%/http_url.h %D%/identity.c %D%/identity.h %D%/ini.c %D%/ini.h %D%/json_read.c %D%/json_read.h \
  %D%/json_tree.c %D%/json_tree.h %D%/line_faults.c %D%/line_faults.h %D%/local_time.c %D%/local_time.h \
  %D%/loose_table.c %D%/loose_table.h %D%/machine_identity.c %D%/machine_identity.h %D%/secret.c %D%/secret.h \
  %D%/sha256.c %D%/sha256.h %D%/text_file.c %D%/text_file.h %D%/xml_read.c %D%/xml_read.h %D%/yaml_read.c \
  %D%/yaml_read.h %D%/yaml_source.c %D%/yaml_source.h %D%/yaml_tree.c %D%/yaml_words.c %D%/yaml_words.h
