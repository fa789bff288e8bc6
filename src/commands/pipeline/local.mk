# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libpipeline.a
%C%_libpipeline_a_SOURCES = \
  %D%/cmd_pipeline.c %D%/companion.c %D%/companion.h %D%/companion_ready.c %D%/companions.h %D%/failure_policy.c \
  %D%/failure_policy.h %D%/pipeline.h %D%/pipeline_answer.c %D%/pipeline_cards.c %D%/pipeline_companions.c %D%/pipeline_companions_make.c \
  %D%/pipeline_container.c %D%/pipeline_dry.c %D%/pipeline_fields.c %D%/pipeline_files.c %D%/pipeline_import.c \
  %D%/pipeline_models.c %D%/pipeline_models.h %D%/pipeline_order.c %D%/pipeline_parts.h %D%/pipeline_parts_make.c \
  %D%/pipeline_process.c %D%/pipeline_read.c %D%/pipeline_report.c %D%/pipeline_report.h %D%/pipeline_requests.c \
  %D%/pipeline_requests.h %D%/pipeline_requests_check.c %D%/pipeline_result.c %D%/pipeline_services.c \
  %D%/pipeline_step.c %D%/pipeline_steps.c %D%/pipeline_template.c %D%/pipeline_text.c %D%/pipeline_values.c \
  %D%/pipeline_work.h %D%/step_samples.c %D%/step_samples.h
