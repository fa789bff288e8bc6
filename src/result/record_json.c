/* SPDX-License-Identifier: MIT
 * Parts of a record in JSON, which other documents have, too. */
#include "result/record_json.h"

#include "result/report.h"
#include "result/session_fields.h"

void json_factor(struct tree_node parent, const char *key, const struct factor *factor)
{
    fields_json(tree_object(parent, key), &factor_fields, factor);
}

void json_machine(struct tree_node parent, const struct machine *machine)
{
    fields_json(tree_object(parent, "machine"), &machine_fields, machine);
}

void json_job(struct tree_node parent, const struct slurm_job *job)
{
    if (job->known)
        fields_json(tree_object(parent, "job"), &job_fields, job);
    else
        tree_null(parent, "job");
}

void json_session(struct tree_node root, const struct report *session)
{
    fields_json(root, &session_machine_fields, session);
    fields_json(root, &session_factor_fields, session);
}
