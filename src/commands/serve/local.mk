# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libserve.a
%C%_libserve_a_SOURCES = \
  %D%/accept.c %D%/accept.h %D%/cmd_serve.c %D%/confine.c %D%/confine.h %D%/exporter.c %D%/exporter.h %D%/guests.c \
  %D%/guests.h %D%/http_server.c %D%/http_server.h %D%/listen.c %D%/listen.h %D%/metric_text.c %D%/metric_text.h \
  %D%/metrics.c %D%/metrics.h %D%/metrics_groups.c %D%/metrics_own.c %D%/microhttpd_library.c %D%/microhttpd_library.h \
  %D%/passwords.c %D%/passwords.h %D%/peer_certificate.c %D%/peer_certificate.h %D%/published.c %D%/published.h \
  %D%/serve_options.c %D%/serve_options.h %D%/serve_push.c %D%/serve_push.h %D%/state.c %D%/state.h %D%/state_file.c \
  %D%/state_file.h %D%/state_resume.c %D%/state_writer.c %D%/state_writer.h %D%/teller.c %D%/teller.h %D%/web_config.c \
  %D%/web_config.h
