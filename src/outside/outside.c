/* SPDX-License-Identifier: MIT
 * The sections of the configuration file that name meters. */
#include "outside/outside.h"

#include "base/parse_quantity.h"
#include "base/text.h"
#include "base/units.h"
#include "io/http_url.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIN_EVERY_S 0.1
#define MAX_EVERY_S 3600.0
#define EVERY_S 1.0
#define REDFISH_EVERY_S 5.0 /* about as often as controllers look at their supplies */

static const char *const covered[] = {
    [COMPONENT_MACHINE] = "machine", [COMPONENT_PLATFORM] = "platform", [COMPONENT_PACKAGE] = "package",
    [COMPONENT_MEMORY] = "memory",   [COMPONENT_GPU] = "gpu",
};

static const struct outside_unit {
    const char *name;
    bool counts;
    double micro;
} units[] = {
    { "W", false, UJ_PER_J }, { "mW", false, 1e3 },   { "kW", false, 1e9 },    { "uW", false, 1 },
    { "J", true, UJ_PER_J },  { "mJ", true, 1e3 },    { "uJ", true, 1 },       { "kJ", true, 1e9 },
    { "Wh", true, 3.6e9 },    { "mWh", true, 3.6e6 }, { "kWh", true, 3.6e12 },
};

#define TEXT_KEY(name, member)                                                                                         \
    {                                                                                                                  \
        name, offsetof(struct outside_meter, member)                                                                   \
    }

static const struct text_key {
    const char *name;
    size_t at;
} text_keys[] = {
    TEXT_KEY("file", file),
    TEXT_KEY("command", command),
    TEXT_KEY("url", url),
    TEXT_KEY("redfish", redfish),
    TEXT_KEY("chassis", chassis),
    TEXT_KEY("field", field),
    TEXT_KEY("token-file", token_file),
    TEXT_KEY("token-header", token_header),
    TEXT_KEY("login-file", login_file),
    TEXT_KEY("ca-file", ca_file),
};

/* What an entry is taken into. */
struct outside_taking {
    struct outside_meter *meter;
    const struct ini_entry *entry;
    const char *path;
    struct error *err;
};

static bool fail(const struct outside_taking *taking, const char *what)
{
    return ini_fail(taking->err, taking->path, taking->entry->line, what, taking->entry->value);
}

static void be_in(struct named_meter *named, const struct outside_unit *unit)
{
    named->counts = unit->counts;
    named->micro = unit->micro;
    text_copy(named->unit, sizeof named->unit, unit->name);
}

static bool take_unit(const struct outside_taking *taking)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(units[i].name, taking->entry->value) == 0) {
            be_in(&taking->meter->named, &units[i]);
            return true;
        }
    fail(taking, "not a unit of a meter:");
    error_why(taking->err, "a meter reports a power, or an energy that grows");
    return error_fix(taking->err, "one of W, mW, kW, uW, J, mJ, uJ, kJ, Wh, mWh and kWh");
}

static bool take_covers(const struct outside_taking *taking)
{
    for (size_t i = 0; i < sizeof covered / sizeof covered[0]; i++)
        if (covered[i] && strcmp(covered[i], taking->entry->value) == 0) {
            taking->meter->named.covers = (enum component)i;
            return true;
        }
    fail(taking, "no meter covers a");
    return error_fix(taking->err, "one of machine, platform, package, memory and gpu");
}

static bool take_every(const struct outside_taking *taking)
{
    const char *text = taking->entry->value;
    double every_s;

    if (!quantity_of(QUANTITY_SECONDS, text, &every_s) || every_s < MIN_EVERY_S || every_s > MAX_EVERY_S) {
        fail(taking, "no meter is asked every");
        return error_fix(taking->err, "a time from %g s to 1 h, as in 1s, 0.5s or 1m", MIN_EVERY_S);
    }
    taking->meter->every_given = true;
    taking->meter->named.question.every_ns = (uint64_t)(every_s * NS_PER_S);
    return true;
}

static bool take_flag(const struct outside_taking *taking, bool *flag)
{
    *flag = strcmp(taking->entry->value, "yes") == 0;
    if (*flag || strcmp(taking->entry->value, "no") == 0)
        return true;
    fail(taking, "this is neither yes nor no:");
    return error_fix(taking->err, "write '%s = yes', or take the line out", taking->entry->name);
}

static bool take_text(const struct outside_taking *taking, const struct text_key *key)
{
    char *text = (char *)taking->meter + key->at;

    if (taking->entry->remarked && text == taking->meter->command) {
        fail(taking, "text after ' ;' is a comment, not part of");
        return error_fix(taking->err, "write ';' without a blank before it, or put the command into a script");
    }
    if (taking->entry->value[0] && strlen(taking->entry->value) < OUTSIDE_TEXT_SIZE) {
        text_copy(text, OUTSIDE_TEXT_SIZE, taking->entry->value);
        return true;
    }
    fail(taking, "not a value:");
    return error_fix(taking->err, "write something behind '%s =', or take the line out", key->name);
}

static bool take_value(const struct outside_taking *taking)
{
    const char *name = taking->entry->name;

    if (strcmp(name, "unit") == 0)
        return take_unit(taking);
    if (strcmp(name, "covers") == 0)
        return take_covers(taking);
    if (strcmp(name, "every") == 0)
        return take_every(taking);
    if (strcmp(name, "part") == 0)
        return take_flag(taking, &taking->meter->named.part);
    if (strcmp(name, "insecure-http") == 0)
        return take_flag(taking, &taking->meter->insecure);
    for (size_t i = 0; i < sizeof text_keys / sizeof text_keys[0]; i++)
        if (strcmp(name, text_keys[i].name) == 0)
            return take_text(taking, &text_keys[i]);
    ini_fail(taking->err, taking->path, taking->entry->line, "a meter has no", name);
    return error_fix(taking->err, "it has file, command, url or redfish; unit, every, covers, part, field, chassis; "
                                  "token-file, token-header, login-file, ca-file, insecure-http");
}

bool outside_is_meter(const char *section)
{
    return strncmp(section, "meter ", 6) == 0 || strcmp(section, "meter") == 0;
}

/* "[meter wall]": the name is a column of tables, and a word of messages. */
static const char *name_of(const char *section)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    const char *name = section + strcspn(section, " ");

    name += strspn(name, " ");
    return *name && strspn(name, allowed) == strlen(name) && strlen(name) < sizeof((struct named_meter *)NULL)->name
               ? name
               : NULL;
}

static bool begin(struct named_meters *meters, const struct ini_entry *entry, const char *path, struct error *err)
{
    const char *name = name_of(entry->section);
    struct outside_meter *meter;

    if (!name) {
        ini_fail(err, path, entry->line, "this names no meter:", entry->section);
        return error_fix(err, "write [meter NAME], a name of up to 39 letters, digits and -_.");
    }
    for (size_t i = 0; i < meters->count; i++)
        if (strcmp(meters->items[i]->name, name) == 0) {
            ini_fail(err, path, entry->line, "there is another meter", name);
            return error_fix(err, "give each a name of its own");
        }
    if (meters->count == NAMED_METERS_MAX)
        return ini_fail(err, path, entry->line, "there are more meters than carbon has room for, with", name);
    meter = calloc(1, sizeof *meter);
    if (!meter)
        return error_errno(err, "cannot keep meter '%s'", name);
    text_copy(meter->named.name, sizeof meter->named.name, name);
    meter->line = entry->line;
    meter->named.covers = COMPONENT_MACHINE;
    meters->items[meters->count++] = &meter->named;
    return true;
}

bool outside_take(struct named_meters **meters, const struct ini_entry *entry, const char *path, struct error *err)
{
    struct outside_taking taking = { .entry = entry, .path = path, .err = err };

    if (!*meters)
        *meters = calloc(1, sizeof **meters);
    if (!*meters)
        return error_errno(err, "cannot keep the meters");
    if (!entry->name)
        return begin(*meters, entry, path, err);
    taking.meter = (struct outside_meter *)(*meters)->items[(*meters)->count - 1];
    return take_value(&taking);
}

static bool lacks(const struct outside_meter *meter, const char *path, struct error *err, const char *what,
                  const char *fix)
{
    error_set(err, ERROR_USAGE, "'%.120s' line %d: meter '%s' %s", path, meter->line, meter->named.name, what);
    return error_fix(err, "%s", fix);
}

static bool check_address(const struct outside_meter *meter, const char *path, struct error *err)
{
    const bool key = meter->token_file[0] || meter->login_file[0];
    const char *address = outside_address(meter);
    char host[HTTP_HOST_SIZE];

    if (!address[0])
        return !(key || meter->ca_file[0]) ||
               lacks(meter, path, err, "has a key or certificate, and no address that it is for", "give it url = ...");
    if (strchr(address, '@'))
        return lacks(meter, path, err, "has a password in its address",
                     "put user:password into a file of mode 600, and give it login-file = FILE");
    if (!http_url_host(address, host, err))
        return err->kind == ERROR_ABSENT ? false
                                         : lacks(meter, path, err, "has an address that cannot be asked",
                                                 "an address begins with http:// or https:// and a host");
    if (meter->token_header[0] && !meter->token_file[0])
        return lacks(meter, path, err, "has a token-header and no token", "give it token-file = FILE");
    if (key && !http_is_tls(address) && !http_is_loopback(host) && !meter->insecure)
        return lacks(meter, path, err, "would get its key without TLS, for all on the way to read",
                     "an address with https://; or insecure-http = yes, where the network is your own");
    return true;
}

/* Redfish itself says in what unit and where. */
static bool check_form(const struct outside_meter *meter, const char *path, struct error *err)
{
    if (meter->redfish[0])
        return !(meter->named.unit[0] || meter->field[0]) ||
               lacks(meter, path, err, "has a unit or a field, and Redfish has its own", "take that line out");
    if (meter->chassis[0])
        return lacks(meter, path, err, "has a chassis, and is not asked through Redfish", "take that line out");
    return meter->named.unit[0] || lacks(meter, path, err, "has no unit", "give it unit = W, or its other unit");
}

static bool check(const struct outside_meter *meter, const char *path, struct error *err)
{
    const int ways =
        (meter->file[0] != '\0') + (meter->command[0] != '\0') + (meter->url[0] != '\0') + (meter->redfish[0] != '\0');

    if (ways != 1)
        return lacks(meter, path, err, ways ? "is asked in more than one way" : "cannot be asked: nothing says how",
                     "give it one of file = FILE, command = COMMAND, url = ADDRESS and redfish = ADDRESS");
    if (meter->file[0] && meter->file[0] != '/')
        return lacks(meter, path, err, "has a file whose path does not begin with '/'", "write file = /...");
    return check_form(meter, path, err) && check_address(meter, path, err);
}

static void complete(struct outside_meter *meter)
{
    const double standard_s = meter->redfish[0] ? REDFISH_EVERY_S : EVERY_S;
    const uint64_t every_ns = meter->every_given ? meter->named.question.every_ns : (uint64_t)(standard_s * NS_PER_S);
    const char *address = outside_address(meter);
    char *how = meter->named.how, host[HTTP_HOST_SIZE];
    const size_t size = sizeof meter->named.how;

    if (meter->redfish[0])
        be_in(&meter->named, &units[0]); /* W */
    meter->named.question = outside_question(meter);
    meter->named.question.every_ns = every_ns;
    if (meter->file[0])
        snprintf(how, size, "file %.150s", meter->file);
    else if (meter->command[0])
        text_copy(how, size, "command");
    else if (http_url_host(address, host, NULL))
        snprintf(how, size, "%s%s%s", meter->redfish[0] ? "Redfish at " : "",
                 http_is_tls(address) ? "https://" : "http://", host);
}

bool outside_finish(struct named_meters *meters, const char *path, struct error *err)
{
    for (size_t i = 0; meters && i < meters->count; i++) {
        struct outside_meter *meter = (struct outside_meter *)meters->items[i];

        if (!check(meter, path, err))
            return false;
        complete(meter);
    }
    return true;
}

void outside_close(struct named_meters *meters)
{
    for (size_t i = 0; meters && i < meters->count; i++)
        free((void *)meters->items[i]);
    free(meters);
}
