/* Growing buffers, bounded waits, small files. */
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t earlier(int64_t one, int64_t other) { return one < other ? one : other; }

/* The milliseconds that whoever judges may take: less than the client waits. */
int64_t allowance(const struct call *call) {
    const int64_t left = call->deadline - milliseconds();
    return left > 0 ? left * 9 / 10 : 0;
}

static void reserve(struct bytes *bytes, size_t more) {
    size_t room = bytes->room ? bytes->room : 16384;
    while (room - bytes->length < more) room *= 2;
    if (room == bytes->room) return;
    char *data = realloc(bytes->data, room);
    if (data == NULL) _exit(2); /* nothing can be said without memory; to an agent this code means block */
    bytes->data = data;
    bytes->room = room;
}

void append(struct bytes *bytes, const void *data, size_t length) {
    if (length == 0) return;
    reserve(bytes, length);
    memcpy(bytes->data + bytes->length, data, length);
    bytes->length += length;
}

/* With its terminating zero. */
void append_text(struct bytes *bytes, const char *text) { append(bytes, text, strlen(text) + 1); }

void append_u32(struct bytes *bytes, uint32_t number) {
    const unsigned char wire[4] = {(unsigned char)(number >> 24), (unsigned char)(number >> 16),
                                   (unsigned char)(number >> 8), (unsigned char)number};
    append(bytes, wire, sizeof wire);
}

char *join(const char *one, const char *other) {
    const size_t length = strlen(one), rest = strlen(other) + 1;
    char *joined = malloc(length + rest);
    if (joined == NULL) _exit(2);
    memcpy(joined, one, length);
    memcpy(joined + length, other, rest);
    return joined;
}

char *decimal(int64_t number) {
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = '\0';
    do digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    return join("", digits + at);
}

/* -1 for what is not made of digits alone, or has too many. */
int64_t whole_number(const char *text) {
    int64_t number = 0;
    size_t digits = 0;
    for (; text[digits] >= '0' && text[digits] <= '9'; digits++) {
        if (digits == 15) return -1;
        number = number * 10 + (text[digits] - '0');
    }
    return digits > 0 && text[digits] == '\0' ? number : -1;
}

/* A thousand times a decimal number, as in `1.5`; -1 for what is none. */
int64_t thousandths(const char *text) {
    int64_t number = 0;
    int places = -1; /* digits after the point; -1 before it */
    if (*text < '0' || *text > '9') return -1;
    for (; *text != '\0' && places < 3; text++) {
        if (*text == '.' && places < 0) {
            places = 0;
            continue;
        }
        if (*text < '0' || *text > '9' || number > INT32_MAX) return -1;
        number = number * 10 + (*text - '0');
        if (places >= 0) places++;
    }
    for (int missing = 3 - (places < 0 ? 0 : places); missing > 0; missing--) number *= 10;
    return number;
}

char *join_uid(const char *prefix) {
    char *uid = decimal(getuid());
    char *joined = join(prefix, uid);
    free(uid);
    return joined;
}

/* Appends what one read() gives, at most `most` bytes; 0 at end of file, -1 for an error. */
ssize_t read_some(int fd, struct bytes *into, size_t most) {
    reserve(into, most < 4096 ? most : 4096);
    const size_t room = into->room - into->length;
    ssize_t count;
    do count = read(fd, into->data + into->length, room < most ? room : most);
    while (count < 0 && errno == EINTR);
    if (count > 0) into->length += (size_t)count;
    return count;
}

/* Waits for one of the descriptors; false when the time is over. */
bool wait_until(struct pollfd *descriptors, nfds_t count, int64_t deadline) {
    for (;;) {
        int64_t left = deadline - milliseconds();
        if (left < 0) left = 0;
        const int ready = poll(descriptors, count, (int)earlier(left, INT_MAX));
        if (ready > 0) return true;
        if (ready == 0 || errno != EINTR) return false;
    }
}

bool readable(int fd, int64_t deadline) {
    struct pollfd one = {.fd = fd, .events = POLLIN};
    return wait_until(&one, 1, deadline);
}

/* Reads a small file that nobody but its owner (we, or root) can have written. */
bool read_own_file(const char *path, char *text, size_t room) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) return false;
    struct stat found;
    ssize_t count = -1;
    if (fstat(fd, &found) == 0 && S_ISREG(found.st_mode) && (found.st_mode & 022) == 0 &&
        (found.st_uid == getuid() || found.st_uid == 0))
        count = read(fd, text, room - 1);
    close(fd);
    if (count < 0) return false;
    text[count] = '\0';
    return true;
}

/* The value of `key=value` in lines of text, as a new string; NULL without one. */
char *value_of(const char *text, const char *key) {
    const size_t length = strlen(key);
    for (const char *line = text; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, length) == 0 && line[length] == '=')
            return strndup(line + length + 1, strcspn(line + length + 1, "\n"));
    }
    return NULL;
}
