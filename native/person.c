/* fairlead-hook [--home DIR] off [--for TIME], and on: the way out for a person, which works when Python is gone.
 *
 * The rules are those of policy/human.py, and the signs of an agent come from there when the client is built. With a
 * passphrase Python is needed to check it, so this refuses. As there, without one it is a deterrent.
 */
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "agent_signs.h"

extern char **environ;

enum { WRONG_USAGE = 64, MOST_PARENTS = 64, MOST_BYTES = 1 << 20, HOUR = 3600 };

static void end(int code, const char *words, const char *more) __attribute__((noreturn));
static void end(int code, const char *words, const char *more) {
    char *one = join(words, more), *line = join(one, "\n");
    const struct bytes nothing = {0}, said = {line, strlen(line), 0};
    relay((uint32_t)code, &nothing, &said);
}

static void refuse(const char *why, const char *more) __attribute__((noreturn));
static void refuse(const char *why, const char *more) { end(1, join("fairlead-hook: nothing was changed: ", why), more); }

/* --- signs of an agent --- */

static bool is_among(const char *name, size_t length, const char *const *names) {
    for (; *names != NULL; names++)
        if (strncmp(name, *names, length) == 0 && (*names)[length] == '\0') return true;
    return false;
}

static const char *marked(const char *variable) {
    return is_among(variable, strcspn(variable, "="), AGENT_VARIABLES) ? variable : NULL;
}

/* All of a file of /proc, with a zero at its end; nothing when it may not be read. */
static struct bytes read_proc(const char *process, const char *name) {
    char *folder = join("/proc/", process), *path = join(folder, name);
    struct bytes content = {0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && content.length < MOST_BYTES && read_some(fd, &content, MOST_BYTES) > 0)
        ;
    if (fd >= 0) close(fd);
    append(&content, "", 1);
    free(folder);
    free(path);
    return content;
}

/* `/usr/bin/Gemini.js` is `gemini`. */
static bool names_agent_program(const char *word) {
    static const char *const endings[] = {".exe", ".js", ".mjs", ".py", NULL};
    const char *slash = strrchr(word, '/');
    char *name = strdup(slash != NULL ? slash + 1 : word);
    for (char *letter = name; *letter != '\0'; letter++)
        if (*letter >= 'A' && *letter <= 'Z') *letter = (char)(*letter - 'A' + 'a');
    for (const char *const *ending = endings; *ending != NULL; ending++) {
        const size_t length = strlen(name), rest = strlen(*ending);
        if (length > rest && strcmp(name + length - rest, *ending) == 0) name[length - rest] = '\0';
    }
    const bool found = is_among(name, strlen(name), AGENT_PROGRAMS);
    free(name);
    return found;
}

/* The program itself, or the script that an interpreter runs: of the first four words, two that are no options. */
static bool runs_agent(const struct bytes *words) {
    int seen = 0, plain = 0;
    for (size_t at = 0; at + 1 < words->length && seen < 4 && plain < 2; at += strlen(words->data + at) + 1) {
        const char *word = words->data + at;
        if (*word == '\0') continue;
        seen++;
        if (*word == '-') continue;
        plain++;
        if (names_agent_program(word)) return true;
    }
    return false;
}

static bool is_marked(const struct bytes *variables) {
    for (size_t at = 0; at + 1 < variables->length; at += strlen(variables->data + at) + 1)
        if (marked(variables->data + at) != NULL) return true;
    return false;
}

/* From `ID (name) S PARENT ...`; the name may hold anything. */
static char *parent_of(const char *process) {
    struct bytes status = read_proc(process, "/stat");
    const char *after = strrchr(status.data, ')');
    char *parent = NULL;
    if (after != NULL && strlen(after) > 4) parent = strndup(after + 4, strcspn(after + 4, " "));
    free(status.data);
    return parent;
}

static bool is_agent(const char *process) {
    struct bytes words = read_proc(process, "/cmdline"), variables = read_proc(process, "/environ");
    const bool found = runs_agent(&words) || is_marked(&variables);
    free(words.data);
    free(variables.data);
    return found;
}

static void refuse_inside_an_agent(void) {
    static const char own[] = "; run it in your own terminal, outside the agent";
    for (char **variable = environ; *variable != NULL; variable++)
        if (marked(*variable) != NULL)
            refuse("this runs inside an agent: ", join(strndup(*variable, strcspn(*variable, "=")), " is set"));
    char *process = parent_of("self");
    for (int count = 0; process != NULL && whole_number(process) > 1 && count < MOST_PARENTS; count++) {
        if (is_agent(process)) refuse("this runs inside an agent: process ", join(process, own));
        char *parent = parent_of(process);
        free(process);
        process = parent;
    }
    free(process);
}

/* --- the marker --- */

static void refuse_with_a_passphrase(const struct call *call, const char *state) {
    char *passphrase = join(state, "/passphrase"), *seal = value_of(call->record.text, "sealed");
    struct stat found;
    if (seal != NULL || lstat(passphrase, &found) == 0)
        refuse("a passphrase is set, and `fairlead off` asks for it; ",
               "where that is gone, `pipx install fairlead` brings it back");
    free(passphrase);
    free(seal);
}

/* In seconds: digits, and m, h or d. */
static int64_t seconds_in(const char *text) {
    const size_t length = strlen(text);
    char *digits = strndup(text, length > 0 ? length - 1 : 0);
    const char unit = length > 0 ? text[length - 1] : '\0';
    const int64_t number = whole_number(digits), one = unit == 'm' ? 60 : unit == 'h' ? HOUR : unit == 'd' ? 24 * HOUR : 0;
    free(digits);
    return number > 0 && number < 100000 ? number * one : 0;
}

static void ask(int terminal, const char *time) {
    char *start = join("Switch Fairlead off for every agent, for ", time), *question = join(start, "? [y/N] ");
    char answer[64] = "";
    const ssize_t written = write(terminal, question, strlen(question));
    const ssize_t count = written > 0 ? read(terminal, answer, sizeof answer - 1) : 0;
    answer[count > 0 ? count : 0] = '\0';
    answer[strcspn(answer, "\r\n ")] = '\0';
    const bool yes = (*answer == 'y' || *answer == 'Y') && (answer[1] == '\0' || strcmp(answer + 1, "es") == 0);
    if (!yes) refuse("answer y to go on", "");
    free(start);
    free(question);
}

static void make_folders(const char *path) {
    for (const char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        char *folder = strndup(path, (size_t)(slash - path));
        mkdir(folder, 0700); /* what cannot be made shows when the file is written */
        free(folder);
    }
}

/* In one step, and for this user alone. */
static void write_marker(const char *path, int64_t until) {
    char *number = decimal(until), *line = join(number, "\n"), *draft = join(path, ".new");
    make_folders(path);
    unlink(draft);
    const int fd = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    const ssize_t length = (ssize_t)strlen(line);
    const bool written = fd >= 0 && write(fd, line, (size_t)length) == length && fsync(fd) == 0;
    if (fd >= 0) close(fd);
    if (!written || rename(draft, path) != 0) refuse("it cannot be written: ", path);
    free(number);
    free(line);
    free(draft);
}

static void switch_off(const struct call *call, const char *state, const char *marker, const char *time_given) {
    const int64_t seconds = seconds_in(time_given);
    if (seconds <= 0) end(WRONG_USAGE, "fairlead-hook: a time is given as 30m, 8h or 2d, not as ", time_given);
    refuse_with_a_passphrase(call, state);
    const int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0) refuse("a human is needed; run it in your own terminal", "");
    refuse_inside_an_agent();
    ask(terminal, time_given);
    write_marker(marker, (int64_t)time(NULL) + seconds);
    end(0, "Fairlead is off for every agent for ", join(time_given, "; `fairlead-hook on` ends that"));
}

void switch_for_a_person(struct call *call, int count, char **words) {
    const bool on = strcmp(words[0], "on") == 0, timed = count == 3 && strcmp(words[1], "--for") == 0;
    if (on ? count != 1 : count != 1 && !timed)
        end(WRONG_USAGE, "usage: fairlead-hook [--home DIR] off [--for TIME]", " | on");
    find_record(&call->record);
    char *state = state_folder(call);
    if (state == NULL) refuse("the home of this user is not known", "");
    char *marker = join(state, "/off");
    if (!on) switch_off(call, state, marker, timed ? words[2] : "1h");
    if (unlink(marker) != 0 && errno != ENOENT) refuse("it cannot be removed: ", marker);
    end(0, "Fairlead is on", "");
}
