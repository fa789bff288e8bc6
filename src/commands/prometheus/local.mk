# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libprometheus.a
%C%_libprometheus_a_SOURCES = \
  %D%/cmd_prometheus.c %D%/energy_query.c %D%/energy_query.h %D%/peaks.c %D%/peaks.h %D%/pods.c %D%/pods.h \
  %D%/pods_fields.c %D%/pods_text.c %D%/prometheus.h %D%/prometheus_energy.c %D%/prometheus_near.c \
  %D%/prometheus_near.h %D%/prometheus_options.c %D%/prometheus_resources.c %D%/prometheus_scrape.c \
  %D%/prometheus_window.c %D%/resources.h %D%/resources_fields.c %D%/resources_table.c
