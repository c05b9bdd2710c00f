#define _GNU_SOURCE
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PACKET = 65536, RECORD = 5, PAGE = 1 << 16 };
static const size_t MOST = 64 << 20, HEAD = 16 << 20, TAIL = 16 << 20, CONTRACTS = 1 << 20;
static const char CONTRACT[] = "contract:";
enum { PREFIX = sizeof CONTRACT - 1 };

struct piece {
    char tag;
    const char *start, *end; /* `start` moves on as lines are taken */
};
struct content {
    char *data;
    struct piece *pieces;
    size_t size, count;
};

int log_data = -1, log_index = -1;
size_t log_cut;
int log_lost;
static size_t log_size;
static struct content adrift; /* of a log that is read only, what was taken since */

void fail(const char *what) {
    perror(what);
    exit(1);
}

static void *memory(size_t size) {
    void *found = malloc(size + 1);
    if (found == NULL) fail("memory");
    return found;
}

static void write_all(int place, const char *data, size_t size) {
    while (size > 0) {
        ssize_t put = write(place, data, size);
        if (put < 0) fail("log");
        data += put;
        size -= (size_t)put;
    }
}

static void empty(int place) {
    if (ftruncate(place, 0) < 0 || lseek(place, 0, SEEK_SET) < 0) fail("log");
}

void log_create(void) {
    log_data = memfd_create("data", 0);
    log_index = memfd_create("index", 0);
    if (log_data < 0 || log_index < 0) fail("memfd");
}

void log_open(int data, int index) {
    log_data = data;
    log_index = index;
    adrift.data = memory(2 * PACKET);
    adrift.pieces = memory(2 * sizeof *adrift.pieces);
}

void log_clear(void) {
    empty(log_data);
    empty(log_index);
    log_size = log_cut = 0;
    log_lost = 0;
}

static void store_length(char *place, size_t length) {
    for (int each = 0; each < 4; each++) place[each] = (char)(length >> 8 * each & 255);
}

static size_t loaded_length(const char *place) {
    size_t length = 0;
    for (int each = 0; each < 4; each++) length |= (size_t)(unsigned char)place[each] << 8 * each;
    return length;
}

static char *loaded(int place, size_t *size) {
    struct stat status;
    if (fstat(place, &status) < 0) fail("log");
    char *data = memory((size_t)status.st_size);
    for (*size = 0; *size < (size_t)status.st_size;) {
        ssize_t got = pread(place, data + *size, (size_t)status.st_size - *size, (off_t)*size);
        if (got <= 0) fail("log");
        *size += (size_t)got;
    }
    return data;
}

static struct content content(void) {
    struct content all;
    size_t index_size, place = 0;
    all.data = loaded(log_data, &all.size);
    char *index = loaded(log_index, &index_size);
    all.count = 0;
    all.pieces = memory((index_size / RECORD + 3) * sizeof *all.pieces);
    for (size_t at = 0; at < index_size; at += RECORD) {
        size_t length = all.size - place; /* killed before the length was written */
        if (at + RECORD <= index_size) length = loaded_length(index + at + 1);
        all.pieces[all.count++] = (struct piece){index[at], all.data + place, all.data + place + length};
        place += length;
    }
    free(index);
    for (size_t each = 0; each < adrift.count; each++) all.pieces[all.count++] = adrift.pieces[each];
    return all;
}

static void release(struct content all) {
    free(all.data);
    free(all.pieces);
}

/* After a process that was killed, perhaps before it wrote a length; this one may be killed, too. */
void log_mend(void) {
    struct stat status;
    struct content all = content();
    if (fstat(log_index, &status) < 0) fail("log");
    if (status.st_size % RECORD != 0) {
        char length[4];
        store_length(length, (size_t)(all.pieces[all.count - 1].end - all.pieces[all.count - 1].start));
        write_all(log_index, length, sizeof length);
    }
    log_size = all.size + all.count * RECORD;
    release(all);
}

/* --- more than can be kept: the head, the tail and the contract lines between them --- */

struct sieve {
    const char *prefix;
    char begun[PREFIX]; /* of the line that is not at its end */
    size_t begun_size, room;
    int kept; /* whether its beginning is kept */
};

static void begin_line(struct sieve *sieve, const char *data, size_t size) {
    for (size_t each = 0; each < size && sieve->begun_size < PREFIX; each++)
        sieve->begun[sieve->begun_size++] = data[each];
}

/* What is kept in any case. */
static void follow(struct sieve *sieve, struct piece piece) {
    const char *newline = memrchr(piece.start, '\n', (size_t)(piece.end - piece.start));
    if (newline != NULL) {
        sieve->begun_size = 0;
        piece.start = newline + 1;
    }
    begin_line(sieve, piece.start, (size_t)(piece.end - piece.start));
    sieve->kept = sieve->begun_size > 0;
}

static char *add(char *target, const char *data, size_t size) {
    if (size > 0) memcpy(target, data, size);
    return target + size;
}

/* Puts what of a line may pass to `target`, and returns its new end. */
static char *sift_line(struct sieve *sieve, const char *data, size_t size, int ends, char *target) {
    size_t before = sieve->begun_size;
    begin_line(sieve, data, size);
    if (sieve->prefix != NULL && sieve->begun_size == PREFIX && memcmp(sieve->begun, sieve->prefix, PREFIX) == 0) {
        size_t needed = size + (sieve->kept ? 0 : before);
        if (needed > sieve->room) log_lost = 1;
        else {
            if (!sieve->kept) target = add(target, sieve->begun, before);
            target = add(target, data, size);
            sieve->room -= needed;
            sieve->kept = 1;
        }
    }
    if (ends) {
        if (sieve->kept) *target++ = '\n';
        sieve->begun_size = 0;
        sieve->kept = 0;
    }
    return target;
}

static char *sift(struct sieve *sieve, struct piece piece, char *target) {
    while (piece.start < piece.end) {
        const char *newline = memchr(piece.start, '\n', (size_t)(piece.end - piece.start));
        const char *end = newline == NULL ? piece.end : newline;
        target = sift_line(sieve, piece.start, (size_t)(end - piece.start), newline != NULL, target);
        piece.start = newline == NULL ? end : newline + 1;
    }
    return target;
}

/* Of a line that began before, what may pass; all of the others. */
static char *finish_line(struct sieve *sieve, struct piece piece, char *target) {
    if (sieve->begun_size > 0) {
        const char *newline = memchr(piece.start, '\n', (size_t)(piece.end - piece.start));
        struct piece line = {piece.tag, piece.start, newline == NULL ? piece.end : newline + 1};
        target = sift(sieve, line, target);
        piece.start = line.end;
    }
    return add(target, piece.start, (size_t)(piece.end - piece.start));
}

static size_t cost(struct piece piece) {
    return (size_t)(piece.end - piece.start) + RECORD;
}

static void middle(struct content all, size_t *first, size_t *last) {
    size_t used = 0;
    for (*first = 0; used + cost(all.pieces[*first]) <= HEAD; (*first)++) used += cost(all.pieces[*first]);
    used = 0;
    for (*last = all.count; *last > *first && used + cost(all.pieces[*last - 1]) <= TAIL; (*last)--)
        used += cost(all.pieces[*last - 1]);
}

static void thin(void) {
    struct content all = content();
    struct sieve sieves[2] = {{.prefix = CONTRACT, .room = CONTRACTS}, {.prefix = NULL}};
    char *data = memory(all.size + PACKET), *end = data;
    char *index = memory(all.count * RECORD), *index_end = index;
    size_t first, last;
    middle(all, &first, &last);
    for (size_t each = 0; each < all.count; each++) {
        struct piece piece = all.pieces[each];
        struct sieve *sieve = &sieves[piece.tag == '2'];
        char *start = end;
        if (each < first) {
            follow(sieve, piece);
            end = add(end, piece.start, (size_t)(piece.end - piece.start));
        } else end = each < last ? sift(sieve, piece, end) : finish_line(sieve, piece, end);
        if (end == start) continue;
        *index_end++ = piece.tag;
        store_length(index_end, (size_t)(end - start));
        index_end += 4;
    }
    log_cut += all.size - (size_t)(end - data);
    empty(log_data);
    empty(log_index);
    write_all(log_data, data, (size_t)(end - data));
    write_all(log_index, index, (size_t)(index_end - index));
    log_size = (size_t)(end - data) + (size_t)(index_end - index);
    free(data);
    free(index);
    release(all);
}

/* --- taking and giving --- */

static void take_adrift(char tag, int pipe) {
    char *start = adrift.data + adrift.size;
    ssize_t size = read(pipe, start, PACKET);
    if (size <= 0) return;
    adrift.pieces[adrift.count++] = (struct piece){tag, start, start + size};
    adrift.size += (size_t)size;
}

/* One packet, which is one write. It is in the log as soon as it is out of the pipe. */
void log_take(char tag, int pipe) {
    char length[4];
    if (adrift.pieces != NULL) {
        take_adrift(tag, pipe);
        return;
    }
    write_all(log_index, &tag, 1);
    ssize_t taken = splice(pipe, NULL, log_data, NULL, PACKET, SPLICE_F_NONBLOCK);
    if (taken < 0 && errno != EAGAIN) fail("splice");
    if (taken < 0) taken = 0;
    store_length(length, (size_t)taken);
    write_all(log_index, length, sizeof length);
    log_size += (size_t)taken + RECORD;
    if (log_size > MOST) thin();
}

struct page {
    int place;
    size_t size, nuls;
    char bytes[PAGE];
};

static void put(struct page *page, char byte) {
    if (page->size == PAGE) {
        write_all(page->place, page->bytes, page->size);
        page->size = 0;
    }
    page->bytes[page->size++] = byte;
}

/* Puts what is left of a line in one piece; 1 when it ended there. A shell cannot hold a NUL. */
static int take_line(struct piece *from, struct page *page) {
    while (from->start < from->end) {
        char byte = *from->start++;
        if (byte == '\n') return 1;
        if (byte == 0) page->nuls++;
        else put(page, byte);
    }
    return 0;
}

static int has_only_nuls(const struct piece *piece) {
    for (const char *at = piece->start; at < piece->end; at++)
        if (*at != 0) return 0;
    return 1;
}

/* Whole lines, each at the place of its first byte. */
void log_print_lines(int place, size_t *nuls) {
    static struct page page;
    struct content all = content();
    page.place = place;
    page.size = page.nuls = 0;
    if (place > 2) empty(place);
    for (size_t each = 0; each < all.count; each++) {
        while (all.pieces[each].start < all.pieces[each].end) {
            size_t next = each;
            if (has_only_nuls(&all.pieces[each])) {
                take_line(&all.pieces[each], &page);
                break;
            }
            put(&page, all.pieces[each].tag);
            put(&page, ':');
            put(&page, ' ');
            while (!take_line(&all.pieces[next], &page)) {
                do next++;
                while (next < all.count && all.pieces[next].tag != all.pieces[each].tag);
                if (next >= all.count) break;
            }
            put(&page, '\n');
        }
    }
    write_all(place, page.bytes, page.size);
    *nuls = page.nuls;
    release(all);
}
