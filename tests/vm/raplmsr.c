/* SPDX-License-Identifier: GPL-2.0
 * Answers the RAPL registers in a virtual machine that has none, for tests of the kernel's own RAPL drivers there.
 *
 * An emulated processor reads unknown registers as 0 and the drivers find no domain. Return probes on the kernel's
 * two functions that read a register put a counter there: 32 bits in units of 2^-14 J (memory 2^-16 J, as on servers),
 * growing with time at a power that is set by writing to /sys/module/raplmsr/parameters, and the package's with the CPU
 * time of tasks that are named there with theirs. Everything above it (powercap,
 * the perf PMU, /dev/cpu/N/msr) is the kernel's code, unmodified. This file alone is under the kernel's licence. */
#include <asm/cpufeature.h>
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/spinlock.h>
#include <linux/topology.h>

enum { PACKAGE, CORES, UNCORE, MEMORY, PLATFORM, DOMAINS };

/* An AMD processor, with registers of other numbers for package and cores and none for the rest. */
static bool amd;
static unsigned int unit[DOMAINS] = { 14, 14, 14, 14, 14 };

/* Package 0 draws this much; package n draws n + 1 times as much, so that one is not taken for the other. */
static unsigned int power_mw[DOMAINS] = { 20000, 10000, 1000, 4000, 30000 };
/* What the counters stand at when this is written (0 would look like a domain that is not there). */
static unsigned int raw[DOMAINS] = { 1, 1, 1, 1, 1 };
/* The errno that reading a register fails with; 0: none. */
static int fail;

/* Each busy CPU of such a task has package 0 draw so much more. */
enum { MAX_TASKS = 16 };
static struct {
    struct task_struct *task;
    unsigned int mw;
    u64 seen_ns; /* of its CPU time */
} drawing[MAX_TASKS];

static u64 used_nj[DOMAINS]; /* by package 0 since raw was set */
static u64 settled_ns;
static DEFINE_RAW_SPINLOCK(lock);

static void settle(void)
{
    u64 now_ns = ktime_get_mono_fast_ns();
    u64 us = now_ns > settled_ns ? div_u64(now_ns - settled_ns, 1000) : 0;
    int domain, i;

    for (domain = 0; domain < DOMAINS; domain++)
        used_nj[domain] += us * power_mw[domain];
    settled_ns += us * 1000;
    for (i = 0; i < MAX_TASKS && drawing[i].task; i++) {
        u64 seen_ns = READ_ONCE(drawing[i].task->se.sum_exec_runtime);
        used_nj[PACKAGE] += div_u64((seen_ns - drawing[i].seen_ns) * drawing[i].mw, 1000);
        drawing[i].seen_ns = seen_ns;
    }
}

static u64 counter(int domain)
{
    u64 packages = topology_physical_package_id(raw_smp_processor_id()) + 1;
    unsigned long flags;
    u64 steps;

    raw_spin_lock_irqsave(&lock, flags);
    settle();
    steps = mul_u64_u64_div_u64(used_nj[domain] * packages, 1ULL << unit[domain], 1000000000);
    raw_spin_unlock_irqrestore(&lock, flags);
    return (raw[domain] + steps) & 0xffffffff;
}

static bool answer_amd(unsigned int msr, u64 *value)
{
    switch (msr) {
    case 0xc0010299: *value = 3 | unit[PACKAGE] << 8 | 10 << 16; return true;
    case 0xc001029a: *value = counter(CORES); return true;
    case 0xc001029b: *value = counter(PACKAGE); return true;
    default: return false;
    }
}

static bool answer(unsigned int msr, u64 *value)
{
    if (amd)
        return answer_amd(msr, value);
    switch (msr) {
    case 0x606: *value = 3 | unit[PACKAGE] << 8 | 10 << 16; return true; /* 1/8 W, 2^-unit J, 1/1024 s */
    case 0x610: *value = 0x004283e800dd8320ULL; return true;             /* limits of 100 W and 125 W */
    case 0x614: *value = 800; return true;                               /* made for 100 W */
    case 0x611: *value = counter(PACKAGE); return true;
    case 0x639: *value = counter(CORES); return true;
    case 0x641: *value = counter(UNCORE); return true;
    case 0x619: *value = counter(MEMORY); return true;
    case 0x64d: *value = counter(PLATFORM); return true;
    default: return false;
    }
}

struct call {
    unsigned int msr;
    int *error;
};

static int on_entry(struct kretprobe_instance *instance, struct pt_regs *regs)
{
    struct call *call = (struct call *)instance->data;
    u64 value;

    call->msr = (unsigned int)regs->di;
    call->error = (int *)regs->si;
    return !answer(call->msr, &value);
}

static int on_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
    u64 value;

    if (answer(((struct call *)instance->data)->msr, &value))
        regs->ax = value;
    return 0;
}

static int on_return_safe(struct kretprobe_instance *instance, struct pt_regs *regs)
{
    *((struct call *)instance->data)->error = -fail;
    return on_return(instance, regs);
}

static struct kretprobe probe = {
    .kp.symbol_name = "native_read_msr",
    .entry_handler = on_entry,
    .handler = on_return,
    .data_size = sizeof(struct call),
    .maxactive = 64,
};
static struct kretprobe probe_safe = {
    .kp.symbol_name = "native_read_msr_safe",
    .entry_handler = on_entry,
    .handler = on_return_safe,
    .data_size = sizeof(struct call),
    .maxactive = 64,
};

static int numbers_set(const char *text, const struct kernel_param *param)
{
    unsigned int n[DOMAINS];
    unsigned long flags;

    if (sscanf(text, "%u,%u,%u,%u,%u", &n[0], &n[1], &n[2], &n[3], &n[4]) != DOMAINS)
        return -EINVAL;
    raw_spin_lock_irqsave(&lock, flags);
    settle();
    memcpy(param->arg, n, sizeof(n));
    if (param->arg == raw)
        memset(used_nj, 0, sizeof(used_nj));
    raw_spin_unlock_irqrestore(&lock, flags);
    return 0;
}

/* "PID MILLIWATTS"; "0 0" forgets all of them. They are held, so that what one has used until its end is not lost. */
static int task_set(const char *text, const struct kernel_param *param)
{
    struct task_struct *task = NULL, *forgotten[MAX_TASKS] = { NULL };
    struct pid *pid;
    unsigned int number, mw;
    unsigned long flags;
    int i = 0;

    if (sscanf(text, "%u %u", &number, &mw) != 2)
        return -EINVAL;
    if (number) {
        pid = find_get_pid(number);
        task = get_pid_task(pid, PIDTYPE_PID);
        put_pid(pid);
        if (!task)
            return -ESRCH;
    }
    raw_spin_lock_irqsave(&lock, flags);
    settle();
    if (task) {
        while (i < MAX_TASKS && drawing[i].task)
            i++;
        if (i < MAX_TASKS) {
            drawing[i].task = task;
            drawing[i].mw = mw;
            drawing[i].seen_ns = 0;
        }
    } else {
        for (; i < MAX_TASKS; i++) {
            forgotten[i] = drawing[i].task;
            drawing[i].task = NULL;
        }
    }
    raw_spin_unlock_irqrestore(&lock, flags);
    if (task)
        return i < MAX_TASKS ? 0 : (put_task_struct(task), -ENOSPC);
    for (i = 0; i < MAX_TASKS; i++)
        if (forgotten[i])
            put_task_struct(forgotten[i]);
    return 0;
}

static const struct kernel_param_ops tasks = { .set = task_set };
static const struct kernel_param_ops numbers = { .set = numbers_set };
module_param_cb(power_mw, &numbers, power_mw, 0200);
module_param_cb(raw, &numbers, raw, 0200);
module_param_cb(task, &tasks, NULL, 0200);
module_param(fail, int, 0600);
module_param(amd, bool, 0444);
module_param_array(unit, uint, NULL, 0444);

static int __init raplmsr_init(void)
{
    int error;

    /* the emulated processor cannot be given the flag that the perf driver looks for */
    if (amd)
        set_cpu_cap(&boot_cpu_data, X86_FEATURE_RAPL);
    settled_ns = ktime_get_mono_fast_ns();
    error = register_kretprobe(&probe);
    if (error)
        return error;
    error = register_kretprobe(&probe_safe);
    if (error)
        unregister_kretprobe(&probe);
    return error;
}

static void __exit raplmsr_exit(void)
{
    unregister_kretprobe(&probe_safe);
    unregister_kretprobe(&probe);
}

module_init(raplmsr_init);
module_exit(raplmsr_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("RAPL registers for a virtual machine, for tests");
