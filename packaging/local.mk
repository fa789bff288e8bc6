# SPDX-License-Identifier: MIT
# Recipes of packages; packaging/README.md says which is tested how.
EXTRA_DIST += \
  packaging/README.md \
  packaging/arch/PKGBUILD \
  packaging/build-deb.sh \
  packaging/build-rpm.sh \
  packaging/ci/github/action.yml \
  packaging/ci/gitlab/carbon.yml \
  packaging/conda/meta.yaml \
  packaging/container/Containerfile \
  packaging/container/image.sh \
  packaging/debian/carbon-data.install \
  packaging/debian/carbon-exporter.default \
  packaging/debian/carbon-exporter.install \
  packaging/debian/carbon.docs \
  packaging/debian/carbon.install \
  packaging/debian/changelog.in \
  packaging/debian/control \
  packaging/debian/copyright \
  packaging/debian/libcarbon-dev.install \
  packaging/debian/libcarbon1.install \
  packaging/debian/python3-libcarbon.install \
  packaging/debian/rules \
  packaging/debian/source/format \
  packaging/debian/tests/control \
  packaging/debian/tests/exporter \
  packaging/debian/tests/piece \
  packaging/easybuild/carbon.eb \
  packaging/helm/carbon/Chart.yaml \
  packaging/helm/carbon/templates/daemonset.yaml \
  packaging/helm/carbon/templates/podmonitor.yaml \
  packaging/helm/carbon/values.yaml \
  packaging/kubernetes/carbon.yaml \
  packaging/kubernetes/podmonitor.yaml \
  packaging/nix/default.nix \
  packaging/python/README.md \
  packaging/python/pyproject.toml \
  packaging/python/wheel.sh \
  packaging/recipe.sh \
  packaging/rpm/carbon.spec \
  packaging/spack/package.py \
  packaging/static.sh

# carbon as one program without shared libraries, with its tables, in an archive here.
static:
	$(srcdir)/packaging/static.sh '$(abs_builddir)/static'
.PHONY: static
