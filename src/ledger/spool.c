/* SPDX-License-Identifier: MIT
 * What waits next to a ledger's file. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem */
#endif
#include "ledger/spool.h"

#include "base/array.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/debug.h"
#include "base/table_index.h"
#include "base/text.h"
#include "base/units.h"
#include "io/json_read.h"
#include "ledger/sql.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <time.h>

enum { PATH_ROOM = 4096 + 16, WAIT_S = 30 };

/* No line of a record begins so, for a JSON text has its line breaks between values alone. */
#define MARK "\ncarbon-spool "

/* In SQLite's file format: the header, and in it two numbers of 4 bytes, the most significant first. */
enum { HEADER_BYTES = 100, FORM_AT = 60, APPLICATION_AT = 68 };

static uint32_t number_at(const unsigned char *header, size_t at)
{
    uint32_t number;

    memcpy(&number, header + at, sizeof number);
    return be32toh(number);
}

/* A link is not followed: a spool lies next to the file itself. */
static int open_database(const char *place, struct stat *status)
{
    unsigned char header[HEADER_BYTES];
    struct statfs filesystem;
    const int fd = open(place, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK);

    if (fd < 0)
        return -1;
    if (fstat(fd, status) == 0 && S_ISREG(status->st_mode) &&
        pread(fd, header, sizeof header, 0) == (ssize_t)sizeof header &&
        number_at(header, APPLICATION_AT) == SQLITE_APPLICATION &&
        number_at(header, FORM_AT) == (uint32_t)ledger_forms && fstatfs(fd, &filesystem) == 0 &&
        ledger_wal_is_safe((uint64_t)filesystem.f_type))
        return fd;
    close(fd);
    return -1;
}

static void rest(void)
{
    const struct timespec ms = { .tv_nsec = 5000000 };

    nanosleep(&ms, NULL);
}

static bool lock(int fd)
{
    const uint64_t until_ns = clock_monotonic_ns() + WAIT_S * NS_PER_S_INT;

    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK || clock_monotonic_ns() >= until_ns)
            return false;
        rest();
    }
    return true;
}

/* That its name lasts, too, is part of the promise. Whoever may read the database may read it. */
static int make_spool(const char *path, mode_t mode)
{
    char folder[PATH_ROOM];
    int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    AUTO_CLOSE int of_folder = -1;

    if (fd < 0)
        return errno == EEXIST ? open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW) : -1;
    ledger_folder_of(path, folder, sizeof folder);
    of_folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fchmod(fd, mode & 0666) != 0 || of_folder < 0 || fsync(of_folder) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static int open_spool(const char *path, mode_t mode)
{
    const int fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW);

    return fd < 0 && errno == ENOENT ? make_spool(path, mode) : fd;
}

/* All of it and on the disk; else what was written of it is taken away again. */
static bool write_record(int fd, off_t end, const char *record, size_t length)
{
    char mark[64], end_of_line[] = "\n";
    const int mark_length =
        snprintf(mark, sizeof mark, MARK "%zu %016" PRIx64 "\n", length, index_hash(record, length));
    struct iovec parts[] = { { mark, (size_t)mark_length }, { (void *)(uintptr_t)record, length }, { end_of_line, 1 } };

    if (writev(fd, parts, 3) == (ssize_t)(length + (size_t)mark_length + 1) && fdatasync(fd) == 0)
        return true;
    IGNORED(ftruncate(fd, end), "a piece of a record is passed over, and a whole one has the same id");
    return false;
}

bool spool_append(const char *place, const char *record, bool *is_full)
{
    char path[PATH_ROOM];
    struct stat database, spool;
    AUTO_CLOSE int of_database = open_database(place, &database);
    AUTO_CLOSE int fd = -1;
    const size_t length = strlen(record);

    *is_full = false;
    if (of_database < 0 || (size_t)snprintf(path, sizeof path, "%s-spool", place) >= sizeof path)
        return false;
    fd = open_spool(path, database.st_mode);
    if (fd < 0 || !lock(fd) || fstat(fd, &spool) != 0 || !S_ISREG(spool.st_mode) ||
        !write_record(fd, spool.st_size, record, length)) {
        DEBUG(DEBUG_LEDGER, "'%s' does not take a record", path);
        return false;
    }
    *is_full = (uint64_t)spool.st_size + length > SPOOL_MAX_BYTES;
    DEBUG(DEBUG_LEDGER, "'%s' has taken a record of %zu bytes behind %lld", path, length, (long long)spool.st_size);
    return true;
}

/* What was read of a spool: the records in it, each ended by a NUL, and what looks like one and is none. */
struct spooled {
    char *bytes;
    size_t length;
    const char **records;
    size_t count;
    char *damaged; /* the first; NULL: none */
    size_t damaged_length;
};

static void close_spooled(struct spooled *spooled)
{
    free(spooled->bytes);
    free(spooled->records);
}

static bool read_bytes(int fd, size_t length, struct spooled *spooled, struct error *err)
{
    ssize_t got;

    spooled->bytes = malloc(length + 1);
    if (!spooled->bytes)
        return error_errno(err, "cannot read what waits for the ledger");
    for (; spooled->length < length; spooled->length += (size_t)got) {
        got = pread(fd, spooled->bytes + spooled->length, length - spooled->length, (off_t)spooled->length);
        if (got < 0)
            return error_errno(err, "cannot read what waits for the ledger");
        if (got == 0)
            break;
    }
    spooled->bytes[spooled->length] = '\0';
    return true;
}

static bool take_record(struct spooled *spooled, const char *record, struct error *err)
{
    const char **more = array_next(spooled->records, spooled->count, sizeof *more);

    if (!more)
        return error_errno(err, "cannot read what waits for the ledger");
    spooled->records = more;
    spooled->records[spooled->count++] = record;
    return true;
}

/* A record that is there to its end is damaged where its hash is another; of one that was cut short the end is missing,
 * or what follows lies within it. */
static bool take_records(struct spooled *spooled, struct error *err)
{
    char *end = spooled->bytes + spooled->length, *at = spooled->bytes;

    while ((at = memmem(at, (size_t)(end - at), MARK, sizeof MARK - 1))) {
        size_t length;
        uint64_t hash;
        int digits = 0;
        char *record;

        at += sizeof MARK - 1;
        if (sscanf(at, "%zu %" SCNx64 "%n", &length, &hash, &digits) < 2 || !digits || at[digits] != '\n')
            continue;
        record = at + digits + 1;
        if (length >= (size_t)(end - record) || record[length] != '\n')
            continue;
        if (index_hash(record, length) == hash) {
            record[length] = '\0';
            at = record + length + 1 > end ? end : record + length + 1;
            if (!take_record(spooled, record, err))
                return false;
        } else if (!spooled->damaged && !memmem(record, length, MARK, sizeof MARK - 1)) {
            spooled->damaged = record;
            spooled->damaged_length = length;
        }
    }
    return true;
}

/* Next to the spool, for whoever can make something of it. */
static bool save_damaged(const char *path, const char *bytes, size_t length, struct error *err)
{
    char broken[PATH_ROOM + 16];
    AUTO_CLOSE int fd = -1;

    snprintf(broken, sizeof broken, "%s.broken", path);
    fd = open(broken, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0 || write(fd, bytes, length) != (ssize_t)length || write(fd, "\n", 1) != 1 || fsync(fd) != 0)
        return error_errno(err, "cannot write '%.200s'", broken);
    return true;
}

static bool report_damaged(const char *path, const char *bytes, size_t length, struct notices *notices,
                           struct error *err)
{
    if (!save_damaged(path, bytes, length, err))
        return false;
    notice_add(notices, NOTICE_LEDGER, "it is damaged, and in no total", "",
               "a record that waited in '%.150s' is now in '%.150s.broken'", path, path);
    return true;
}

static bool is_record(const char *text)
{
    struct ledger_row row;
    struct error ignored;
    struct text line;
    struct cJSON *document = json_parse(text, "it", &ignored);
    bool is = false;

    if (document) {
        is = ledger_row_of(document, "it", &row, &line, &ignored);
        text_close(&line);
    }
    json_close(document);
    return is;
}

/* One by one, where together they could not be put: what is no record is moved out of the way, and the rest is stored.
 */
static bool put_each(struct ledger *ledger, const char *path, const struct spooled *spooled, struct notices *notices,
                     struct error *err)
{
    for (size_t i = 0; i < spooled->count; i++) {
        const char *record = spooled->records[i];

        if (!ledger_add(ledger, record, err) &&
            (is_record(record) || !report_damaged(path, record, strlen(record), notices, err)))
            return false;
    }
    return true;
}

static bool put_all(struct ledger *ledger, const char *path, const struct spooled *spooled, struct notices *notices,
                    struct error *err)
{
    if (spooled->damaged && !report_damaged(path, spooled->damaged, spooled->damaged_length, notices, err))
        return false;
    if (spooled->count == 0 || ledger_add_all(ledger, spooled->records, spooled->count, err))
        return true;
    return err->kind == ERROR_BAD_DATA && put_each(ledger, path, spooled, notices, err);
}

/* The disk has it empty before anything else is done with the ledger: a record that is deleted next must not come
 * again. */
static bool empty(int fd, const char *path, struct error *err)
{
    return (ftruncate(fd, 0) == 0 && fdatasync(fd) == 0) || error_errno(err, "cannot empty '%.200s'", path);
}

static bool fold(struct ledger *ledger, int fd, const char *path, struct spooled *spooled, struct notices *notices,
                 struct error *err)
{
    struct stat status;

    if (!lock(fd) || fstat(fd, &status) != 0)
        return error_errno(err, "cannot read what waits for the ledger");
    if (status.st_size == 0)
        return true;
    return read_bytes(fd, (size_t)status.st_size, spooled, err) && take_records(spooled, err) &&
           put_all(ledger, path, spooled, notices, err) && empty(fd, path, err);
}

/* Next to the file itself, where the place is a link to it. */
static bool name_spool(const char *place, char path[PATH_ROOM])
{
    char target[PATH_MAX];
    struct stat status;
    const bool is_link = lstat(place, &status) == 0 && S_ISLNK(status.st_mode);

    if (is_link && !realpath(place, target))
        return false;
    return (size_t)snprintf(path, PATH_ROOM, "%s-spool", is_link ? target : place) < PATH_ROOM;
}

void spool_fold(struct ledger *ledger, const char *place, struct notices *notices)
{
    struct spooled spooled = { .bytes = NULL };
    AUTO_CLOSE int fd = -1;
    char path[PATH_ROOM];
    struct stat status;
    struct error err;
    bool good;

    if (!name_spool(place, path) || stat(path, &status) != 0 || status.st_size == 0)
        return;
    fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    good = fd >= 0 ? fold(ledger, fd, path, &spooled, notices, &err)
                   : error_errno(&err, "cannot use what waits for the ledger");
    DEBUG(DEBUG_LEDGER, "'%s' had %zu records", path, spooled.count);
    if (!good)
        notice_add(notices, NOTICE_LEDGER, err.why, err.fix,
                   "records that wait in '%.150s' could not be put into the ledger and are in no total", path);
    close_spooled(&spooled);
}
