# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libmodel.a
%C%_libmodel_a_SOURCES = \
  %D%/cmd_model.c %D%/model_fields.c %D%/model_files.c %D%/model_report.c %D%/model_report.h %D%/model_result.c \
  %D%/model_steps.c %D%/model_work.h %D%/recipe.c %D%/recipe.h
