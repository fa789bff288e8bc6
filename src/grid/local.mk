# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libgrid.a
%C%_libgrid_a_SOURCES = \
  %D%/generation.c %D%/generation.h %D%/hourly.c %D%/hourly.h %D%/intensities.c %D%/intensities.h \
  %D%/intensity_file.c %D%/intensity_file.h %D%/live.c %D%/live.h %D%/live_ask.c %D%/live_ask.h %D%/live_cache.c \
  %D%/live_cache.h %D%/live_carbon_aware.c %D%/live_eia.c %D%/live_electricity_maps.c %D%/live_energidata.c \
  %D%/live_energy_charts.c %D%/live_entsoe.c %D%/live_ieso.c %D%/live_key.c %D%/live_list.c %D%/live_neso.c %D%/live_odre.c \
  %D%/live_ons.c %D%/live_openelectricity.c %D%/live_service.c %D%/live_service.h %D%/live_span.c %D%/live_watttime.c
