/* What the parts of fairlead-hook share. docs/warm-path.md describes the frames, the files and the deadlines. */
#ifndef FAIRLEAD_CLIENT_H
#define FAIRLEAD_CLIENT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

enum { WIRE_VERSION = 2 };
enum { HELLO = 1, CALL = 2, CWD = 3, ENVIRONMENT = 4, PAYLOAD = 5 }; /* to the daemon */
enum { ACKNOWLEDGED = 16, REPLY = 17 };                              /* from the daemon; all else means: go cold */
enum { FRAME_HEADER = 5, REPLY_HEADER = 8 };
enum { ACKNOWLEDGE_MS = 300, SLOW_MS = 500, DEFAULT_TIMEOUT_S = 30 };
enum { PAYLOAD_LIMIT = 16 << 20, REPLY_LIMIT = 32 << 20, RECORD_LIMIT = 16384, NOISE_LIMIT = 4096 };

struct bytes {
    char *data;
    size_t length, room;
};

struct record { /* what `fairlead install` wrote beside the client, and where that is */
    char text[RECORD_LIMIT + 1];
    char directory[PATH_MAX];
};

struct call {
    const char *agent, *event, *home;
    char request[33];
    struct bytes payload;
    int64_t deadline; /* on the clock of milliseconds() */
    struct record record;
    int daemon; /* a connection to it, or -1 */
};

struct reception { /* what a daemon or an interpreter has sent so far */
    struct bytes bytes;
    bool acknowledged;
    int64_t until;
};

enum outcome { WAITING, UNANSWERED, TOO_LATE };

/* bytes.c */
int64_t milliseconds(void);
int64_t allowance(const struct call *call);
int64_t earlier(int64_t one, int64_t other);
void append(struct bytes *bytes, const void *data, size_t length);
void append_text(struct bytes *bytes, const char *text);
void append_u32(struct bytes *bytes, uint32_t number);
char *join(const char *one, const char *other);
char *decimal(int64_t number);
int64_t whole_number(const char *text);
int64_t thousandths(const char *text);
char *join_uid(const char *prefix);
ssize_t read_some(int fd, struct bytes *into, size_t most);
bool wait_until(struct pollfd *descriptors, nfds_t count, int64_t deadline);
bool readable(int fd, int64_t deadline);
bool read_own_file(const char *path, char *text, size_t room);
char *value_of(const char *text, const char *key);

/* client.c */
void find_record(struct record *record);

/* switch.c */
void switch_for_a_person(struct call *call, int count, char **words) __attribute__((noreturn));

/* managed.c */
bool is_forbidden(const char *state, const char *deed);

/* daemon.c */
bool is_private_directory(const struct stat *found);
int connect_to_daemon(const char *home);
enum outcome ask_daemon(const struct call *call);

/* fallback.c */
char *find_interpreter(const struct record *record);
void answer_cold(struct call *call) __attribute__((noreturn));

/* glass.c */
bool is_glass_marker(const char *marker);
bool is_glass_broken(const char *marker, const char *state);

/* answer.c */
char *state_folder(const struct call *call);
void relay(uint32_t code, const struct bytes *out, const struct bytes *err) __attribute__((noreturn));
enum outcome take_frames(struct reception *reception, int64_t deadline);
void answer_by_itself(struct call *call, const char *why, const struct bytes *noise) __attribute__((noreturn));

#endif
