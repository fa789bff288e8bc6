/* SPDX-License-Identifier: MIT
 * Small tables of processors with round figures, in a data folder of the test's own. */
#ifndef TESTS_MODEL_FIXTURE_H
#define TESTS_MODEL_FIXTURE_H

#include "power/cpu_power.h"

#include "tree.h"

#define NAMED(name, thread)                                                                                            \
    {                                                                                                                  \
        .model = name, .vendor = "", .family = -1, .number = -1, .stepping = -1, .by_thread = thread                   \
    }

#define CPU_HEADER "vendor,model,match_key,cores,threads,tdp_watts,tdp_other_watts,conflict,microarchitecture,codename," \
                   "segment,year,n_sources,source_id,notes\n"
#define PROFILE_HEADER "profile_id,kind,vendor,name,match_key,microarchitecture,per,boundary,w_idle,w_10,w_20,w_30,w_40," \
                       "w_50,w_60,w_70,w_80,w_90,w_100,a,b,c,d,n_results,year_min,year_max,source_id,notes\n"

#define SERVER_HEADER "match_key,class,n_results,idle_w_per_socket,full_w_per_socket,c_10,c_20,c_30,c_40,c_50,c_60,c_70,c_80," \
                      "c_90,memory_gb_per_socket,memory_gb_most,source_id\n"
#define GENERATION_HEADER "microarchitecture,class,n_results,idle_w_per_socket,full_w_per_tdp,c_10,c_20,c_30,c_40,c_50,c_60," \
                          "c_70,c_80,c_90,memory_gb_per_socket,stands_for,source_id\n"
#define STRAIGHT "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9"

/* Ranges of one kind at four loads: of 0, 10, 50 and 100 %. */
#define RULES_OVER_LOAD(rule, kind, at_0, at_10, at_50, at_100)                                                        \
    "\"" rule " at load 0\"," kind ",1," at_0 "\n\"" rule " at load 10\"," kind ",1," at_10 "\n\"" rule " at load 50\"," kind \
    ",1," at_50 "\n\"" rule " at load 100\"," kind ",1," at_100 "\n"

/* Machines of the microarchitecture Served, for which Near's stand in as well; more: further rows of generations. */
static inline void fixture_put_servers(struct tree *data, const char *more)
{
    char text[4096];

    tree_put(data, "emission_factors/server_cpu.csv", SERVER_HEADER
             "acme six,server,5,25,150,,,,,,,,,,64,128,RESULTS\n"
             "acme seven,client,1,10,50,0.1,0.2,0.2,0.2,0.25,0.6,0.7,0.8,0.9,16,16,RESULTS");
    snprintf(text, sizeof text, GENERATION_HEADER "Served,server,9,30,1.2," STRAIGHT ",64,,FIT\n"
             "Served,client,9,12,0.5," STRAIGHT ",16,,FIT\n(Around),server,9,40,1.6," STRAIGHT ",32,Served;Near,FIT\n%s", more);
    tree_put(data, "emission_factors/cpu_generations.csv", text);
    tree_put(data, "emission_factors/power_rules.csv",
             "rule,class,value,low,high\n\"node base, idle (B0)\",server,20,,\n\"node base, full (B1)\",server,40,,\n"
             "\"node base, idle (B0)\",client,0,,\n\"node base, full (B1)\",client,10,,\n\"cap, wall\",server,1.5,,\n"
             "supply and regulator efficiency,\"server, idle\",0.8,,\n"
             "supply and regulator efficiency,\"server, half to full\",0.9,,\nmemory above the reference,server,0.0625,,\n"
             RULES_OVER_LOAD("95 % interval of wall power", "this CPU has 4 or more results", "0.6,1.6", "0.8,1.5", "0.8,1.5", "0.9,1.2")
             RULES_OVER_LOAD("95 % interval of wall power", "this CPU has results", "0.5,1.8", "0.7,1.6", "0.7,1.6", "0.8,1.3")
             RULES_OVER_LOAD("95 % interval of wall power", "microarchitecture known", "0.5,2.5", "0.6,2", "0.6,1.6", "0.75,1.4")
             RULES_OVER_LOAD("95 % interval of wall power", "only its neighbours known", "0.4,2.5", "0.5,2", "0.5,2", "0.6,1.5")
             RULES_OVER_LOAD("95 % interval of wall power", "its TDP known", "0.4,3", "0.4,3", "0.4,3", "0.6,1.6")
             "\"host kept at full clock (public cloud), package at load 0\",all,0.1,0.08,0.12\n"
             "\"host kept at full clock (public cloud), package at load 10\",all,0.3,0.28,0.36\n"
             "\"host kept at full clock (public cloud), package at load 50\",all,0.7,0.6,0.9\n"
             "\"host kept at full clock (public cloud), package at load 100\",all,1,0.9,1.3\n"
             RULES_OVER_LOAD("range of package power", "all", "0.5,3", "0.5,2", "0.5,2", "0.8,1.5"));
}

/* Processor One has a curve per thread, Two one per package without idle, Three none, Four no count of
 * threads, Five neither threads nor cores, Six and Seven results of whole machines, Eight those of its kind, Nine those
 * of its neighbours; the microarchitectures Curved and Plain are told by CPUID. */
static inline void fixture_open(struct tree *data)
{
    tree_open(data);
    tree_put(data, "emission_factors/cpu_power.csv", CPU_HEADER
             "Acme,Acme One,acme one,8,16,80,,0,Curved,,server,2020,1,LIST,\n"
             "Acme,Acme Two,acme two,8,16,100,50;200,1,Other,,server,2020,1,LIST,\n"
             "Acme,Acme Three,acme three,10,20,200,150,1,Plain,,server,2020,1,LIST,\n"
             "Acme,Acme Four,acme four,10,,200,,0,Plain,,desktop,2020,1,LIST,\n"
             "Acme,Acme Five,acme five,,,60,,0,,,,,1,LIST,\n"
             "Acme,Acme Small,acme small,2,4,10,,0,Plain,,desktop,2020,1,LIST,\n"
             "Acme,Acme Large,acme large,50,100,100,,0,Plain,,server,2020,1,LIST,\n"
             "Acme,Acme Hot,acme hot,2,2,40,,0,Plain,,server,2020,1,LIST,\n"
             "Acme,Acme Six,acme six,10,20,90,,0,Served,,server,2020,1,LIST,\n"
             "Acme,Acme Seven,acme seven,4,8,60,,0,Served,,desktop,2020,1,LIST,\n"
             "Acme,Acme Eight,acme eight,10,20,100,,0,Served,,server,2020,1,LIST,\n"
             "Acme,Acme Nine,acme nine,10,20,100,,0,Near,,server,2020,1,LIST,\n"
             "Acme,Acme Board,acme board,10,20,100,,0,Served,,mobile,2020,1,LIST,");
    tree_put(data, "emission_factors/cpu_profiles.csv", PROFILE_HEADER
             "teads:generic,generic,,share of TDP,,,tdp_fraction,CPU package,0.1,0.3,,,,0.7,,,,,1,,,,,,,,GENERIC,\n"
             "linear:generic,generic,,constant,,,tdp_fraction,CPU package,0.5,0.5,,,,0.5,,,,,0.5,,,,,,,,LINEAR,\n"
             "one,model,Acme,One,acme one,Curved,vcpu,CPU package,0.5,1.5,,,,3.5,,,,,5,,,,,1,,,ONE,\n"
             "two,model,Acme,Two,acme two,Other,package,CPU package,,30,40,50,60,70,75,80,85,90,95,,,,,1,,,TWO,\n"
             "kin,model,Acme,Kin,acme kin,Curved,vcpu,CPU package,0.4,1,,,,2,,,,,3,,,,,1,,,KIN,\n"
             "kin2,model,Acme,Kin2,acme kin2,Curved,vcpu,CPU package,1,2,,,,4,,,,,6,,,,,1,,,KIN,\n"
             "gold,model_range,Acme,Gold,,,package,CPU package,,,,,,,,,,,,10,0.5,8,2,,,,RANGE,\n"
             "lead,model_range,Acme,Lead,,,package,CPU package,900,900,,,,900,,,,,900,,,,,,,,RANGE,"
             "\"implausible, do not use unscaled\"\n"
             "srv:one,model,Acme,One,acme one,Curved,package,server AC,40,50,60,70,80,90,100,110,120,130,140,,,,,9,,,SPEC,\n"
             "srv:curved,microarchitecture,Acme,Curved,,Curved,vcpu,server AC,2,3,4,5,6,7,8,9,10,11,12,,,,,9,,,SPEC,\n"
             "few:curved,microarchitecture,Acme,Curved,,Curved,vcpu,server AC,1,,,,,4,,,,,7,,,,,,,,FEW,\n"
             "none:curved,microarchitecture,Acme,Curved,,Curved,vcpu,server AC,99,,,,,99,,,,,99,,,,,,,,NONE,"
             "no measurement exists");
    tree_put(data, "emission_factors/cpuid_uarch.csv",
             "vendor_id,cpu_family,model_min,model_max,stepping_min,stepping_max,microarchitecture,source_id,notes\n"
             "AcmeVendor,6,10,20,0,4,Curved,CPUID,\nAcmeVendor,6,10,20,5,9,Plain,CPUID,\n"
             "ARM:0x41,8,0xd0c,0xd0c,,,Curved,CPUID,");
    tree_put(data, "emission_factors/memory_modules.csv",
             "item,generation,watts_idle,watts_idle_min,watts_idle_max,watts_full,watts_full_min,watts_full_max,per,year,"
             "source_id,notes\n\"module\",DDR4,1,0.3,1.5,2.5,1,5,DIMM,2026,MODULE,\n"
             "gigabyte where modules are not known,DDR4,0.0625,0.03125,0.25,0.125,0.03125,0.5,GB,2026,PER_GB,");
    tree_put(data, "emission_factors/cpu_cloud.csv",
             "cpuid_name,match_key,microarchitecture,cores_per_socket,threads_per_socket,stands_for\n"
             "Acme 8C,acme 8c,Served,12,24,acme eight\n(Acme-V1),acme cloudy,Plain,,,acme three");
    tree_put(data, "emission_factors/cloud_dmi.csv", "provider,field,match,value,instance_type_from\naws,sys_vendor,exact,Acme,");
    tree_put(data, "emission_factors/board_power.csv",
             "board,soc,w_idle,w_stress,w_hpl,source_id\nCherry Pi 5,A76,,8,,LINPACK\nCherry Pi 5,A76,2,8,10,REVIEW\n"
             "Cherry Pi 50,A76,3,9,,REVIEW\nMini,Fruit M2,,40,,MAKER\nMini,Fruit M2 Pro,5,80,,MAKER");
    fixture_put_servers(data, "");
    ck_assert_int_eq(setenv("CARBON_DATA", data->path, 1), 0);
}

static inline bool fixture_has_machine(const struct cpu_identity *identity, struct cpu_power *machine)
{
    struct cpu_power package;
    struct error err;

    ck_assert_msg(cpu_power_find(identity, &package, machine, &err), "%s: %s", err.what, err.why);
    return machine->how[0];
}

/* As a user types it. */
static inline __attribute__((unused)) struct cpu_identity typed(const char *name)
{
    return (
        struct cpu_identity){ .model = name, .vendor = "", .family = -1, .number = -1, .stepping = -1, .named = true };
}

/* Of a file whose tests all have them: UNIT_SUITE_IN("name", open_tables, close_tables, ...). */
static struct tree data;

static inline __attribute__((unused)) void open_tables(void)
{
    fixture_open(&data);
}

static inline __attribute__((unused)) void close_tables(void)
{
    tree_close(&data);
}

/* At no, half and full load. */
static inline __attribute__((unused)) void curve_is(const struct power_curve *curve, double idle_w, double half_w, double full_w)
{
    ck_assert_double_eq_tol(curve_w(curve, 0), idle_w, 1e-9);
    ck_assert_double_eq_tol(curve_w(curve, 0.5), half_w, 1e-9);
    ck_assert_double_eq_tol(curve_w(curve, 1), full_w, 1e-9);
}

static inline struct cpu_power fixture_find(const struct cpu_identity *identity, enum boundary boundary)
{
    struct cpu_power power;
    struct error err;

    if (boundary == BOUNDARY_SERVER)
        ck_assert(fixture_has_machine(identity, &power));
    else
        ck_assert_msg(cpu_power_find(identity, &power, NULL, &err), "%s: %s", err.what, err.why);
    return power;
}

#endif
