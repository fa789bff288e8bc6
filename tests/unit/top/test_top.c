/* SPDX-License-Identifier: MIT
 * Rows of carbon top: their sums, order and filter; and keys. */
#include "unit.h"

#include "base/units.h"
#include "commands/top/top.h"

#include <math.h>
#include <string.h>

static struct domain package = { .name = "package-0", .component = COMPONENT_PACKAGE, .quality = QUALITY_MEASURED };
static struct meter meter;
static struct counting counting;
static struct collector collector;
static struct top_view view;
static struct top_choice choice;

static void name_user(void *context, uid_t user, char *name, size_t size)
{
    (void)context;
    snprintf(name, size, "%s", user == 0 ? "root" : "ada");
}

static void take(const char *id, const char *title, uid_t owner, uint64_t cpu_ms)
{
    struct group_name name = { .kind = GROUP_PROCESS };
    struct group *group;
    size_t at;

    strcpy(name.id, id);
    at = groups_take(&collector.groups, &name);
    group = &collector.groups.items[at];
    strcpy(group->title, title);
    group->owner = owner;
    group->recent_ns[0] = cpu_ms * 1000000;
}

/* A second of two CPUs, of which three processes have a half, an eighth and a sixteenth, and everybody three quarters;
 * 40 W, and 24 W of these idle. */
static void begin(void)
{
    const struct group_interval interval = {
        .energy_j = { NAN, NAN, 40, NAN, NAN, NAN, NAN, NAN },
        .power_w = { NAN, NAN, 40, NAN, NAN, NAN, NAN, NAN },
        .idle_w = { NAN, NAN, 24, NAN, NAN, NAN, NAN, NAN },
        .own_j = { NAN, NAN, 16, NAN, NAN, NAN, NAN, NAN },
        .interval_ns = NS_PER_S_INT,
        .busy_known = true,
        .busy_ns = 1500000000,
        .cpus = 2,
        .pue = 2,
        .kgco2eq_per_kwh = 0.36,
    };

    meter = (struct meter){ .domain_count = 1 };
    meter.domains[0] = (struct meter_domain){ .domain = &package, .started = true };
    counting.is_counted[0] = true;
    collector = (struct collector){ .meter = &meter, .counting = &counting, .pue = 2, .interval = interval };
    collector.factor.kgco2eq_per_kwh = 0.36;
    collector.whole = (struct collector_whole){ .energy_j = 40, .power_w = 40 };
    collector.groups = (struct groups){ .max = 100 };
    choice = (struct top_choice){ .by = GROUP_PROCESS };
    groups_begin(&collector.groups, 1);
    take("10:1", "small", 0, 125);
    take("11:1", "large", 1000, 1000);
    take("12:1", "middle", 1000, 250);
    groups_attribute(&collector.groups, &interval);
}

static void end(void)
{
    top_view_close(&view);
    groups_close(&collector.groups);
}

static void make(void)
{
    ck_assert(top_view_make(&view, &collector, &choice, name_user, NULL));
}

static struct top_figures sum(void)
{
    struct top_figures all = view.not_attributed;

    for (size_t i = 0; i < view.row_count; i++)
        top_figures_add(&all, &view.rows[i].figures);
    top_figures_add(&all, &view.others.figures);
    top_figures_add(&all, &view.ended.figures);
    return all;
}

static void adds_up(void)
{
    const struct top_figures all = sum();

    ck_assert_double_eq_tol(all.power_w + view.idle.figures.power_w, 40, 1e-12);
    ck_assert_double_eq_tol(all.energy_j + view.idle.figures.energy_j, 40, 1e-12);
    ck_assert_double_eq_tol(all.own_w + view.idle.idle_w, 40, 1e-12);
    ck_assert_double_eq_tol(all.own_j + view.idle.idle_j, 40, 1e-12);
    ck_assert_double_eq_tol(all.cpu_share + view.idle.figures.cpu_share, 1, 1e-12);
}

static const char *names(void)
{
    static char text[200];
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = 0; i < view.row_count; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", i ? " " : "", view.rows[i].name);
    return text;
}

START_TEST(lines_add_up)
{
    begin();
    make();
    ck_assert_str_eq(names(), "large middle small");
    ck_assert_double_eq_tol(view.rows[0].figures.power_w, 20, 1e-12);     /* 40 x 1 s / 2 s */
    ck_assert_double_eq_tol(view.rows[0].figures.own_w, 16 / 1.5, 1e-12); /* 16 x 1 s / 1.5 s */
    ck_assert_double_eq_tol(view.rows[0].figures.cpu_share, 0.5, 1e-12);
    ck_assert_double_eq_tol(view.rows[0].figures.kgco2eq_per_h, 0.02 * 2 * 0.36, 1e-12);
    ck_assert_double_eq_tol(view.idle.figures.power_w, 10, 1e-12); /* a quarter of the time */
    ck_assert_double_eq_tol(view.not_attributed.power_w, 40 - 10 - 27.5, 1e-12);
    ck_assert_double_eq_tol(view.not_attributed.cpu_share, 0.75 - 0.6875, 1e-12);
    ck_assert_int_eq(view.rows[0].pid, 11);
    ck_assert_str_eq(view.rows[0].user, "ada");
    ck_assert_int_eq(view.row_quality, QUALITY_ATTRIBUTED);
    adds_up();
    end();
}
END_TEST

START_TEST(order)
{
    begin();
    choice.sort = TOP_BY_NAME;
    make();
    ck_assert_str_eq(names(), "large middle small");
    choice.reversed = true;
    make();
    ck_assert_str_eq(names(), "small middle large");
    choice = (struct top_choice){ .by = GROUP_PROCESS, .sort = TOP_BY_CPU, .reversed = true };
    make();
    ck_assert_str_eq(names(), "small middle large");
    choice = (struct top_choice){ .by = GROUP_PROCESS, .sort = TOP_BY_ENERGY, .max_rows = 1 };
    make();
    ck_assert_str_eq(names(), "large");
    ck_assert_uint_eq(view.others.count, 2);
    adds_up();
    end();
}
END_TEST

START_TEST(filters)
{
    static const struct {
        const char *filter, *names;
    } cases[] = { { "M", "middle small" }, { "ada", "large middle" }, { "11:", "large" }, { "x", "" } };

    begin();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        strcpy(choice.filter, cases[i].filter);
        make();
        ck_assert_str_eq(names(), cases[i].names);
        ck_assert_uint_eq(view.others.count, 3 - view.row_count);
        adds_up();
    }
    end();
}
END_TEST

START_TEST(ended)
{
    begin();
    groups_begin(&collector.groups, 5);
    groups_forget(&collector.groups, 5);
    collector.groups.idle.power_w = 40;
    make();
    ck_assert_uint_eq(view.row_count, 0);
    ck_assert_uint_eq(view.ended.count, 3);
    ck_assert_double_eq_tol(view.ended.figures.energy_j, 27.5, 1e-12);
    ck_assert_double_eq(view.ended.figures.power_w, 0);
    end();
}
END_TEST

/* Idle cannot be told from the rest. */
START_TEST(nobody_tells_who_was_busy)
{
    begin();
    collector.interval.busy_known = false;
    collector.groups.idle = (struct groups_idle){ .known = false };
    make();
    ck_assert(isnan(view.idle.figures.power_w));
    ck_assert(isnan(view.machine.cpu_share));
    ck_assert_double_eq_tol(view.not_attributed.power_w, 12.5, 1e-12);
    end();
}
END_TEST

static struct top_keys keys;

static void type(const char *text)
{
    top_keys_take(&keys, text, strlen(text), 100);
}

START_TEST(key_by_key)
{
    static const struct {
        const char *key;
        int by;
    } groups[] = { { "c", GROUP_CGROUP }, { "o", GROUP_CONTAINER }, { "d", GROUP_POD },
                   { "j", GROUP_SLURM },  { "u", GROUP_USER },      { "p", GROUP_PROCESS } };

    keys = (struct top_keys){ .choice = &choice, .page = 10 };
    choice = (struct top_choice){ .by = GROUP_PROCESS };
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        type(groups[i].key);
        ck_assert_int_eq(choice.by, groups[i].by);
    }
    type("J");
    ck_assert_int_eq(choice.sort, TOP_BY_ENERGY);
    type("N");
    ck_assert_int_eq(choice.sort, TOP_BY_NAME);
    type("r");
    ck_assert(choice.reversed);
    type("\033[B\033[B\033[6~");
    ck_assert_uint_eq(keys.first, 12);
    type("\033[F");
    ck_assert_uint_eq(keys.first, 90);
    type("\033[A\033[5~");
    ck_assert_uint_eq(keys.first, 79);
    type("\033OH");
    ck_assert_uint_eq(keys.first, 0);
    type("\033[A");
    ck_assert_uint_eq(keys.first, 0);
    for (size_t i = 0; i < 2; i++) { /* End and Home of tmux, screen and the console; of rxvt */
        type(i ? "\033[8~" : "\033[4~");
        ck_assert_uint_eq(keys.first, 90);
        type(i ? "\033[7~" : "\033[1~");
        ck_assert_uint_eq(keys.first, 0);
    }
    ck_assert(!keys.quit);
    type("q");
    ck_assert(keys.quit);
}
END_TEST

START_TEST(a_filter_is_typed)
{
    char line[256];

    keys = (struct top_keys){ .choice = &choice, .page = 10 };
    choice = (struct top_choice){ .by = GROUP_PROCESS };
    type("/qué");
    ck_assert_str_eq(choice.filter, "qué");
    ck_assert_ptr_nonnull(strstr(top_keys_line(&keys, line, sizeof line), "filter: qué_"));
    type("\177");
    ck_assert_str_eq(choice.filter, "qu");
    type("\r");
    ck_assert(!keys.typing && !keys.quit);
    ck_assert_str_eq(choice.filter, "qu");
    type("/x\033");
    ck_assert_str_eq(choice.filter, "");
    type("/");
    for (int i = 0; i < 200; i++)
        type("a");
    ck_assert_uint_eq(strlen(choice.filter), sizeof choice.filter - 1);
    type("\033");
    type("\033[1;5");
    type("\033[");
    ck_assert_str_eq(choice.filter, "");
}
END_TEST

UNIT_SUITE("top", lines_add_up, order, filters, ended, nobody_tells_who_was_busy, key_by_key, a_filter_is_typed)
