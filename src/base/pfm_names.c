/* SPDX-License-Identifier: MIT
 * libpfm4 by dlopen; the only file that knows it. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "base/pfm_names.h"

#include "base/c_locale.h"

#include <stddef.h>

#ifdef HAVE_PERFMON_PFMLIB_PERF_EVENT_H
#include <dlfcn.h>
#include <perfmon/pfmlib_perf_event.h>

typedef __typeof__(pfm_initialize) *initialize_function;
typedef __typeof__(pfm_terminate) *terminate_function;
typedef __typeof__(pfm_get_os_event_encoding) *encode_function;

void pfm_names_open(struct pfm_names *names)
{
    AUTO_C_LOCALE;
    initialize_function initialize;

    names->encode = NULL;
    names->library = dlopen("libpfm.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!names->library)
        return;
    initialize = (initialize_function)dlsym(names->library, "pfm_initialize");
    if (initialize && initialize() == PFM_SUCCESS)
        names->encode = dlsym(names->library, "pfm_get_os_event_encoding");
}

void pfm_names_close(struct pfm_names *names)
{
    terminate_function terminate;

    if (!names->library)
        return;
    terminate = (terminate_function)dlsym(names->library, "pfm_terminate");
    if (terminate && names->encode)
        terminate();
    dlclose(names->library);
    names->library = names->encode = NULL;
}

bool pfm_names_encode(const struct pfm_names *names, const char *event, uint32_t *type, uint64_t *config)
{
    AUTO_C_LOCALE;
    struct perf_event_attr attr = { .size = sizeof attr };
    pfm_perf_encode_arg_t argument = { .attr = &attr, .size = sizeof argument };
    const encode_function encode = (encode_function)names->encode;

    if (!encode || encode(event, PFM_PLM0, PFM_OS_PERF_EVENT, &argument) != PFM_SUCCESS)
        return false;
    *type = attr.type;
    *config = attr.config;
    return true;
}

#else

void pfm_names_open(struct pfm_names *names)
{
    *names = (struct pfm_names){ NULL, NULL };
}

void pfm_names_close(struct pfm_names *names)
{
    (void)names;
}

bool pfm_names_encode(const struct pfm_names *names, const char *event, uint32_t *type, uint64_t *config)
{
    (void)names, (void)event, (void)type, (void)config;
    return false;
}

#endif
