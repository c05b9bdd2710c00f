/* fairlead-hook [--home DIR] AGENT [EVENT]
 * fairlead-hook [--home DIR] off [--for TIME] | on
 *
 * Hands one hook call to the user's warm daemon and relays its answer. Without a daemon it hands the same call
 * to the recorded interpreter; if that cannot answer either, it answers by itself (the last resort).
 * src/fairlead/doors/client.py is the same program in Python: one test suite runs against both.
 */
#include "client.h"
#include "system.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char USAGE[] = "fairlead-hook: the command in the agent's settings is wrong, so nothing is let through\n"
                            "  usage: fairlead-hook [--home DIR] AGENT [EVENT]\n"
                            "  hint: run `fairlead doctor`\n";
static const char VERSION[] = "fairlead-hook " BUILD_ID " native\n";

static void say(uint32_t code, const char *out, const char *err) {
    const struct bytes answer = {(char *)out, strlen(out), 0}, words = {(char *)err, strlen(err), 0};
    relay(code, &answer, &words);
}

static void read_arguments(struct call *call, int count, char **words) {
    int at = 1;
    if (count == 2 && strcmp(words[1], "--version") == 0) say(0, VERSION, "");
    if (count > 2 && strcmp(words[1], "--home") == 0) {
        call->home = words[2];
        at = 3;
    }
    if (count > at) call->agent = words[at];
    const bool moved = at == 3;
    if (strcmp(call->agent, "off") == 0 || strcmp(call->agent, "on") == 0) {
        if (moved && *call->home != '/') say(64, "", USAGE);
        switch_for_a_person(call, count - at, words + at);
    }
    if (count > at + 1) call->event = words[at + 1];
    if (*call->agent == '\0' || *call->agent == '-' || count > at + 2 || (moved && *call->home != '/'))
        say(2, "", USAGE);
}

/* So that no pipe or socket of ours can take the number of a stream that the agent left closed. */
static void open_standard_streams(void) {
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0) _exit(2);
}

/* The client's own name has to be in `directory`; its folder is left there. */
static bool read_record(struct record *record) {
    char *path = join(record->directory, ".record");
    const bool found = read_own_file(path, record->text, sizeof record->text);
    if (!found) record->text[0] = '\0';
    free(path);
    char *name = strrchr(record->directory, '/');
    if (name != NULL) *name = '\0';
    return found;
}

/* Under the name by which the client was started; if that is a link, beside what it leads to. */
void find_record(struct record *record) {
    const char *started = started_as();
    if (*started == '/' && strlen(started) < sizeof record->directory) {
        stpcpy(record->directory, started);
        if (read_record(record)) return;
    }
    record->directory[own_file(record->directory, sizeof record->directory - 1)] = '\0';
    read_record(record);
}

/* In milliseconds: 0.6 of the timeout that the agent was told to give this command. */
static int64_t patience(const struct call *call) {
    char *key = join("timeout.", call->agent);
    char *value = value_of(call->record.text, key);
    if (value == NULL) value = value_of(call->record.text, "timeout");
    const int64_t timeout = value == NULL ? -1 : thousandths(value);
    free(key);
    free(value);
    return (timeout > 0 && timeout < 86400000 ? timeout : DEFAULT_TIMEOUT_S * 1000) * 6 / 10;
}

static void make_request(char *request) {
    static const char digits[] = "0123456789abcdef";
    unsigned char random[16];
    if (!fill_with_random(random, sizeof random)) _exit(2);
    for (size_t i = 0; i < sizeof random; i++) {
        request[2 * i] = digits[random[i] >> 4];
        request[2 * i + 1] = digits[random[i] & 15];
    }
    request[32] = '\0';
}

/* To its end, so that the agent is not stopped in the middle of writing. One byte above the limit is kept:
 * whoever judges the payload then sees that it is too large. */
static bool read_payload(struct call *call) {
    struct bytes beyond = {0};
    ssize_t count = 1;
    while (count > 0) {
        if (!readable(STDIN_FILENO, call->deadline)) return false;
        const size_t left = PAYLOAD_LIMIT + 1 - call->payload.length;
        beyond.length = 0;
        count = left > 0 ? read_some(STDIN_FILENO, &call->payload, left) : read_some(STDIN_FILENO, &beyond, 65536);
    }
    free(beyond.data);
    return true;
}

/* The daemon wakes up and looks who is there while the payload is being read. It does not wait long for one, so
 * that is only done when the agent has begun to write, and undone when it takes its time. */
static bool read_call(struct call *call) {
    const int64_t start = milliseconds();
    call->daemon = readable(STDIN_FILENO, start) ? connect_to_daemon(call->home) : -1;
    find_record(&call->record);
    call->deadline = start + patience(call);
    make_request(call->request);
    const bool whole = read_payload(call);
    if (call->daemon >= 0 && milliseconds() - start > SLOW_MS) {
        close(call->daemon);
        call->daemon = -1;
    }
    return whole;
}

int main(int count, char **words) {
    static struct call call = {.agent = "", .event = "", .home = ""};
    const struct bytes silence = {0};
    signal(SIGPIPE, SIG_IGN);
    open_standard_streams();
    read_arguments(&call, count, words);
    if (!read_call(&call)) answer_by_itself(&call, "its input never ended", &silence);
    if (ask_daemon(&call) == TOO_LATE) answer_by_itself(&call, "the daemon did not answer in time", &silence);
    answer_cold(&call);
}
