# SPDX-License-Identifier: MIT
factorsdir = $(pkgdatadir)/emission_factors
FACTOR_TABLES = \
  data/emission_factors/board_power.csv data/emission_factors/cloud_dmi.csv data/emission_factors/cloud_instances.csv \
  data/emission_factors/cloud_regions.csv data/emission_factors/cpu_cloud.csv \
  data/emission_factors/cpu_generations.csv data/emission_factors/cpu_power.csv \
  data/emission_factors/cpu_profiles.csv data/emission_factors/cpuid_uarch.csv \
  data/emission_factors/embodied.csv data/emission_factors/energy_mix.csv data/emission_factors/equivalents.csv \
  data/emission_factors/fuel_intensity.csv \
  data/emission_factors/gpu_power.csv data/emission_factors/grid_intensity.csv data/emission_factors/memory_modules.csv \
  data/emission_factors/power_rules.csv data/emission_factors/pue.csv \
  data/emission_factors/residual_mix.csv data/emission_factors/server_cpu.csv data/emission_factors/sources.csv \
  data/emission_factors/wires.csv data/emission_factors/zone_aliases.csv data/emission_factors/zones.csv
SHAREALIKE_TABLES = data/emission_factors/share-alike/grid_intensity_odbl.csv
dist_factors_DATA = data/emission_factors/LICENCES.md data/emission_factors/README.md $(FACTOR_TABLES)

# The index of these tables (src/base/table_index.h): the same on every machine, so that a cross build, which cannot run what makes
# it, takes one from elsewhere (configure TABLES_INDEX=FILE), or does without.
if WITH_INDEX
nodist_factors_DATA = data/emission_factors/tables.index
if INDEX_GIVEN
data/emission_factors/tables.index: $(TABLES_INDEX)
	$(AM_V_GEN)$(MKDIR_P) data/emission_factors && cp '$(TABLES_INDEX)' $@
else
noinst_PROGRAMS = data/index_tables
data_index_tables_SOURCES = data/index_tables.c
data_index_tables_LDADD = src/base/libbase.a $(CSV_LIBS) -lm
data/emission_factors/tables.index: data/index_tables$(EXEEXT) $(FACTOR_TABLES) $(SHAREALIKE_TABLES)
	$(AM_V_GEN)$(MKDIR_P) data/emission_factors && data/index_tables$(EXEEXT) $@ $(srcdir)/data/emission_factors \
	  `echo '$(FACTOR_TABLES) $(SHAREALIKE_TABLES)' | sed 's,data/emission_factors/,,g'`
endif
# What is newer than a table is of it, without a look into either.
install-data-hook:
	touch '$(DESTDIR)$(factorsdir)/tables.index'
endif
slurmdir = $(pkgdatadir)/slurm
dist_slurm_SCRIPTS = data/slurm/prolog.sh data/slurm/epilog.sh
dist_slurm_DATA = data/slurm/carbon.conf
# For carbon as an exporter.
systemddir = $(pkgdatadir)/systemd
dist_systemd_DATA = data/systemd/carbon.socket
nodist_systemd_DATA = data/systemd/carbon.service
data/systemd/carbon.service: data/systemd/carbon.service.in Makefile
	$(AM_V_GEN)$(MKDIR_P) data/systemd && sed 's,[@]bindir[@],$(bindir),' $(srcdir)/data/systemd/carbon.service.in > $@
prometheusdir = $(pkgdatadir)/prometheus
dist_prometheus_DATA = data/prometheus/carbon.rules.yml
grafanadir = $(pkgdatadir)/grafana
dist_grafana_DATA = data/grafana/carbon.json
recipesdir = $(pkgdatadir)/recipes
dist_recipes_DATA = data/recipes/ersilia.yaml
sharealikedir = $(factorsdir)/share-alike
dist_sharealike_DATA = data/emission_factors/share-alike/README.md $(SHAREALIKE_TABLES)
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = data/completions/_carbon
fishcompletiondir = $(datadir)/fish/vendor_completions.d
dist_fishcompletion_DATA = data/completions/carbon.fish

# bash looks a completion up by the name of the command alone.
bashcompletiondir = $(datadir)/bash-completion/completions
install-data-local:
	$(MKDIR_P) '$(DESTDIR)$(bashcompletiondir)'
	$(INSTALL_DATA) $(srcdir)/data/completions/carbon.bash '$(DESTDIR)$(bashcompletiondir)/carbon'

uninstall-local:
	rm -f '$(DESTDIR)$(bashcompletiondir)/carbon'

EXTRA_DIST += data/completions/carbon.bash data/systemd/carbon.service.in
CLEANFILES += data/emission_factors/tables.index data/systemd/carbon.service
