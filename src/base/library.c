/* SPDX-License-Identifier: MIT
 * dlopen and dlsym. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "base/library.h"

#include "base/debug.h"

#include <dlfcn.h>
#include <string.h>

#ifdef CARBON_STATIC
#define NOT_THERE "a static carbon opens no libraries: %s"
#define FIX "use a carbon that is linked with shared libraries: a package, or ./quickstart"

enum library_state library_open(const char *const *files, const struct library_function *wanted, size_t count)
{
    (void)wanted, (void)count;
    DEBUG(DEBUG_LIBRARIES, NOT_THERE, *files);
    return LIBRARY_ABSENT;
}
#else
#define NOT_THERE "%s is not there"
#define FIX fix

enum library_state library_open(const char *const *files, const struct library_function *wanted, size_t count)
{
    void *library = NULL;
    size_t found = 0;

    for (; !library && *files; files++) {
        library = dlopen(*files, RTLD_LAZY | RTLD_NODELETE | RTLD_LOCAL);
        if (library)
            DEBUG(DEBUG_LIBRARIES, "opened '%s'", *files);
        else
            DEBUG(DEBUG_LIBRARIES, "cannot open '%s': %s", *files, dlerror());
    }
    if (!library)
        return LIBRARY_ABSENT;
    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(library, wanted[i].name);
        /* POSIX has dlsym's pointer be as wide as one to a function */
        memcpy(wanted[i].function, &function, sizeof function);
        found += function != NULL;
        if (!function)
            DEBUG(DEBUG_LIBRARIES, "it has no '%s'", wanted[i].name);
    }
    dlclose(library);
    return found == count ? LIBRARY_READY : LIBRARY_OLD;
}
#endif

bool library_need(const char *const *files, const struct library_function *wanted, size_t count, const char *what,
                  const char *fix, struct error *err)
{
    const enum library_state state = library_open(files, wanted, count);

    if (state == LIBRARY_READY)
        return true;
    error_set(err, ERROR_ABSENT, "%s", what);
    error_why(err, state == LIBRARY_OLD ? "%s is too old" : NOT_THERE, files[0]);
    return error_fix(err, "%s", FIX);
}
