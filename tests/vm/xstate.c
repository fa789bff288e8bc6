/* SPDX-License-Identifier: MIT
 * Preloaded into User Mode Linux: the registers of a program that it sets are as long as the processor's. It knows
 * those of 2016 and before, and is refused on one that has more (as AMX); what it leaves out is then as at a program's
 * start. https://docs.kernel.org/arch/x86/xstate.html */
#include <cpuid.h>
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { XSTATE_LEAF = 0xd, MAX_BYTES = 1 << 15 };

static long set_registers(int pid, const struct iovec *given)
{
    static char registers[MAX_BYTES];
    struct iovec whole = { .iov_base = registers };
    unsigned eax, bytes, ecx, edx;

    if (!__get_cpuid_count(XSTATE_LEAF, 0, &eax, &bytes, &ecx, &edx) || bytes > sizeof registers ||
        bytes < given->iov_len) {
        errno = EINVAL;
        return -1;
    }
    memcpy(registers, given->iov_base, given->iov_len);
    whole.iov_len = bytes;
    return syscall(SYS_ptrace, PTRACE_SETREGSET, pid, NT_X86_XSTATE, &whole);
}

long ptrace(enum __ptrace_request request, ...)
{
    va_list arguments;
    long pid, data, answer;
    void *address;

    va_start(arguments, request);
    pid = va_arg(arguments, int);
    address = va_arg(arguments, void *);
    data = va_arg(arguments, long);
    va_end(arguments);
    if (request == PTRACE_SETREGSET && address == (void *)NT_X86_XSTATE)
        return set_registers((int)pid, (const struct iovec *)data);
    /* What is asked for comes back as the answer, as in the C library. */
    if (request == PTRACE_PEEKTEXT || request == PTRACE_PEEKDATA || request == PTRACE_PEEKUSER)
        return syscall(SYS_ptrace, request, pid, address, &answer) < 0 ? -1 : answer;
    return syscall(SYS_ptrace, request, pid, address, data);
}
