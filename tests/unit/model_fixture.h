/* SPDX-License-Identifier: MIT
 * Small tables of processors with round figures, in a data folder of the test's own. */
#ifndef TESTS_MODEL_FIXTURE_H
#define TESTS_MODEL_FIXTURE_H

#include "energy/cpu_power.h"

#include "tree.h"

#define CPU_HEADER "vendor,model,match_key,cores,threads,tdp_watts,tdp_other_watts,conflict,microarchitecture,codename," \
                   "segment,year,n_sources,source_id,notes\n"
#define PROFILE_HEADER "profile_id,kind,vendor,name,match_key,microarchitecture,per,boundary,w_idle,w_10,w_20,w_30,w_40," \
                       "w_50,w_60,w_70,w_80,w_90,w_100,a,b,c,d,n_results,year_min,year_max,source_id,notes\n"

/* Processor One has a curve per thread, Two one per package without idle, Three none, Four no count of
 * threads, Five neither threads nor cores; the microarchitectures Curved and Plain are told by CPUID. */
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
             "Acme,Acme Hot,acme hot,2,2,40,,0,Plain,,server,2020,1,LIST,");
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
    tree_put(data, "emission_factors/memory_power.csv",
             "item,watts_min,watts,watts_max,per,year,source_id,notes\n"
             "DRAM generic,,0.5,,GB,2020,HIGH,\nDRAM generic,,0.25,,GB,2020,MIDDLE,\nDRAM generic,,0.2,,GB,2020,LOW,\n"
             "DRAM server load idle,,0.125,,GB,2020,IDLE,\nDIMM x86,2.5,5,5,DIMM,2020,DIMM,");
    ck_assert_int_eq(setenv("CARBON_DATA", data->path, 1), 0);
}

static inline struct cpu_power fixture_find(const struct cpu_identity *identity, enum boundary boundary)
{
    struct cpu_power power;
    struct error err;

    ck_assert_msg(cpu_power_find(identity, boundary, &power, &err), "%s: %s", err.what, err.why);
    return power;
}

#endif
