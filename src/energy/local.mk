# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libenergy.a
%C%_libenergy_a_SOURCES = \
  %D%/asked.c %D%/asked.h %D%/battery.c %D%/battery_life.c %D%/battery_life.h %D%/cray.c %D%/dcmi_text.c \
  %D%/dcmi_text.h %D%/domains.c %D%/domains.h %D%/energy.h %D%/energy_drivers.c %D%/gauge.c %D%/gauge.h %D%/gpu_seen.c \
  %D%/gpu_seen.h %D%/hwmon.c %D%/hwmon_chip.c %D%/hwmon_chip.h %D%/hwmon_sensor.c %D%/hwmon_sensor.h %D%/iio.c \
  %D%/ipmi.c %D%/load_energy.c %D%/load_energy.h %D%/model.c %D%/named_meter.c %D%/named_meter.h %D%/nvml.c \
  %D%/nvml_library.c %D%/nvml_library.h %D%/own_sensor.c %D%/own_sensor.h %D%/perf.c %D%/perf_count.c %D%/perf_count.h \
  %D%/perf_event.c %D%/perf_event.h %D%/perf_pmu.c %D%/perf_pmu.h %D%/poller.c %D%/poller.h %D%/power_bounds.c \
  %D%/power_bounds.h %D%/powercap.c %D%/sensor_rules.c %D%/sensor_rules.h
