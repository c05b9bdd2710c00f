/* Answers: those that are relayed, and the last resort. */
#include "client.h"
#include "glass.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "last_resort.h"

static bool write_all(int fd, const struct bytes *bytes) {
    size_t written = 0;
    while (written < bytes->length) {
        const ssize_t count = write(fd, bytes->data + written, bytes->length - written);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return false;
        written += (size_t)count;
    }
    return true;
}

/* An answer that could not be delivered whole may read as an approval: then the exit code has to block. */
void relay(uint32_t code, const struct bytes *out, const struct bytes *err) {
    const bool delivered = write_all(STDOUT_FILENO, out);
    write_all(STDERR_FILENO, err);
    _exit(delivered ? (int)(code & 255) : 2);
}

static uint32_t u32_at(const char *data) {
    const unsigned char *wire = (const unsigned char *)data;
    return (uint32_t)wire[0] << 24 | (uint32_t)wire[1] << 16 | (uint32_t)wire[2] << 8 | wire[3];
}

/* Relays a reply (and does not return), or says whether it makes sense to wait for more. */
static bool take_frame(struct reception *reception, char kind, struct bytes body, int64_t deadline) {
    if (kind == ACKNOWLEDGED && body.length == 4) {
        reception->acknowledged = true;
        reception->until = earlier(milliseconds() + u32_at(body.data), deadline);
        return true;
    }
    if (kind != REPLY || body.length < REPLY_HEADER) return false;
    const size_t length = u32_at(body.data + 4), rest = body.length - REPLY_HEADER;
    if (length > rest) return false;
    const struct bytes out = {body.data + REPLY_HEADER, length, 0};
    const struct bytes err = {body.data + REPLY_HEADER + length, rest - length, 0};
    relay(u32_at(body.data), &out, &err);
}

enum outcome take_frames(struct reception *reception, int64_t deadline) {
    struct bytes *bytes = &reception->bytes;
    size_t at = 0;
    while (bytes->length - at >= FRAME_HEADER) {
        char *frame = bytes->data + at;
        const size_t length = u32_at(frame);
        if (length > REPLY_LIMIT) return UNANSWERED;
        if (bytes->length - at - FRAME_HEADER < length) break;
        const struct bytes body = {frame + FRAME_HEADER, length, 0};
        if (!take_frame(reception, frame[4], body, deadline)) return UNANSWERED;
        at += FRAME_HEADER + length;
    }
    memmove(bytes->data, bytes->data + at, bytes->length - at);
    bytes->length -= at;
    return WAITING;
}

static const struct last_resort *find_last_resort(const char *agent, const char *event) {
    const struct last_resort *found = &UNKNOWN_AGENT;
    for (const struct last_resort *one = LAST_RESORTS; one->agent != NULL; one++) {
        if (strcmp(one->agent, agent) != 0) continue;
        if (strcmp(one->event, event) == 0) return one;
        if (*one->event == '\0') found = one;
    }
    return found;
}

/* The home of the uid: as recorded by `install`, which can ask any directory service, else as the system has it. */
static char *find_home(const struct record *record) {
    char *home = value_of(record->text, "home");
    return home != NULL ? home : look_up_home();
}

/* Where the `off` marker is, as a new string; NULL when the home of the uid is not known. */
char *state_folder(const struct call *call) {
    if (*call->home != '\0') return join(call->home, "/state");
    char *home = find_home(&call->record);
    char *state = home == NULL ? NULL : join(home, "/.local/state/fairlead");
    free(home);
    return state;
}

/* When it ends in seconds since the epoch (0: never), then the agents that it is for (none: all), one to a line. */
static bool names_agent(char *marker, const char *agent) {
    char *rest = marker;
    const char *line = strsep(&rest, "\n");
    const int64_t expiry = whole_number(line);
    if (expiry < 0 || (expiry != 0 && expiry <= (int64_t)time(NULL))) return false;
    bool anybody = true;
    while ((line = strsep(&rest, "\n")) != NULL) {
        if (strcmp(line, agent) == 0) return true;
        anybody = anybody && *line == '\0';
    }
    return anybody;
}

/* Whether the recorded line is the marker, with spaces for its line ends. */
static bool is_same(const char *line, const char *marker) {
    for (; *line != '\0'; line++, marker++)
        if (*line != (*marker == '\n' ? ' ' : *marker)) return false;
    while (*marker == '\n' || *marker == ' ') marker++;
    return *marker == '\0';
}

/* Once there is a passphrase, the marker alone proves nothing: `fairlead off`, which asks for it, says the same in
 * the record of the installed client. */
static bool is_attested(const char *marker, const char *passphrase, const char *path) {
    static char record[RECORD_LIMIT + 1];
    if (!read_own_file(path, record, sizeof record)) record[0] = '\0';
    struct stat found;
    char *seal = value_of(record, "sealed"), *line = value_of(record, "off");
    const bool sealed = seal != NULL || lstat(passphrase, &found) == 0;
    const bool attested = !sealed || (line != NULL && is_same(line, marker));
    free(seal);
    free(line);
    return attested;
}

static bool is_off(const struct call *call) {
    const bool moved = *call->home != '\0';
    char *home = moved ? strdup(call->home) : find_home(&call->record);
    if (home == NULL) return false;
    char *state = join(home, moved ? "/state" : "/.local/state/fairlead");
    char *path = join(state, "/off");
    char *passphrase = join(state, "/passphrase");
    char *share = join(home, moved ? "/share" : "/.local/share/fairlead");
    char *record = join(share, "/bin/fairlead-hook.record");
    char marker[4096];
    const bool there = read_own_file(path, marker, sizeof marker);
    bool off = false;
    if (there && is_glass_marker(marker))
        off = is_glass_broken(marker, state);
    else if (there && is_granted_marker(marker))
        off = is_granted(marker, state);
    else if (there)
        off = is_attested(marker, passphrase, record) && names_agent(marker, call->agent) && !is_forbidden(state, "off");
    free(state);
    free(record);
    free(share);
    free(passphrase);
    free(path);
    free(home);
    return off;
}

static void append_words(struct bytes *bytes, const char *words) { append(bytes, words, strlen(words)); }

/* `noise` is what the interpreter said when it broke: for the person who has to mend it. */
void answer_by_itself(struct call *call, const char *why, const struct bytes *noise) {
    const struct last_resort *last = find_last_resort(call->agent, call->event);
    if (is_off(call)) relay((uint32_t)last->neutral_code, &last->neutral_out, &last->neutral_err);
    struct bytes err = {0};
    append(&err, last->err.data, last->err.length);
    if (last->code != 0) {
        append_words(&err, "fairlead-hook: ");
        append_words(&err, why);
        append_words(&err, "\n");
        append(&err, noise->data, noise->length);
    }
    relay((uint32_t)last->code, &last->out, &err);
}
