/* Whether a person sits at the terminal, by the processes that lead to this one.
 *
 * The rules are a strict part of those in policy/person/chain.py: a command in the foreground of a terminal, below
 * shells that wait for input, and these below a login. What only Python can find out (who looks at a terminal that
 * tmux keeps, which part of an editor started a shell) is no person here. The names come from there when the client
 * is built. As there, it is a deterrent. Memory is not given back: this runs once, and the process ends.
 */
#include "client.h"
#include "system.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent_signs.h"

extern char **environ;

enum { MOST_PARENTS = 64, MOST_BYTES = 1 << 20 };

struct process {
    int64_t id, parent, group, session, terminal, foreground, user;
    char *program, *name; /* the file that runs, if it may be seen, and what to call it */
    struct bytes words, variables;
};

/* --- processes --- */

/* All of a file of /proc, with a zero at its end; nothing when it may not be read. */
static struct bytes read_proc(const char *process, const char *name) {
    const int fd = open(join(join("/proc/", process), name), O_RDONLY | O_CLOEXEC);
    struct bytes content = {0};
    while (fd >= 0 && content.length < MOST_BYTES && read_some(fd, &content, MOST_BYTES) > 0)
        ;
    if (fd >= 0) close(fd);
    append(&content, "", 1);
    return content;
}

/* The number that stands after so many spaces, or -1. */
static int64_t number_at(const char *text, int spaces) {
    for (; spaces > 0 && text != NULL; spaces--) text = strchr(text, ' ') == NULL ? NULL : strchr(text, ' ') + 1;
    return text == NULL ? -1 : whole_number(strndup(text, strcspn(text, " \n")));
}

/* Whose rights it has: the second number of that line. A file of /proc says root for whoever hides. */
static int64_t user_in(const char *status) {
    const char *line = strstr(status, "\nUid:\t");
    if (line == NULL) return -1;
    const char *second = strchr(line + 6, '\t');
    return second == NULL ? -1 : whole_number(strndup(second + 1, strcspn(second + 1, "\t\n")));
}

static char *program_of(const char *process) {
    char path[PATH_MAX];
    const ssize_t length = readlink(join(join("/proc/", process), "/exe"), path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    char *gone = strstr(path, " (deleted)");
    if (gone != NULL) *gone = '\0';
    return strdup(path);
}

static char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return strdup(slash != NULL ? slash + 1 : path);
}

/* A title such as `sshd: me@pts/0` or `-bash` counts where the file is hidden. */
static char *name_of(const char *program, const char *title) {
    if (*program != '\0') return last_part(program);
    title += *title == '-';
    return last_part(strndup(title, strcspn(title, ": ")));
}

/* False when it cannot be seen. From `ID (name) S PARENT GROUP SESSION TERMINAL FOREGROUND`; the name may hold
 * anything. */
static bool look_at(const char *id, struct process *found) {
    const struct bytes stat = read_proc(id, "/stat");
    const char *after = strrchr(stat.data, ')');
    if (after == NULL) return false;
    *found = (struct process){
        .id = whole_number(strndup(stat.data, strcspn(stat.data, " "))),
        .parent = number_at(after, 2), .group = number_at(after, 3), .session = number_at(after, 4),
        .terminal = number_at(after, 5), .foreground = number_at(after, 6),
        .user = user_in(read_proc(id, "/status").data), .program = program_of(id),
        .words = read_proc(id, "/cmdline"), .variables = read_proc(id, "/environ")};
    found->name = name_of(found->program, found->words.data);
    return found->id > 0 && found->parent >= 0;
}

static const char *next_text(const struct bytes *texts, const char *text) {
    const char *next = text == NULL ? texts->data : text + strlen(text) + 1;
    return next < texts->data + texts->length - 1 ? next : NULL;
}

/* --- what they stand for --- */

static bool is_among(const char *name, size_t length, const char *const *names) {
    for (; *names != NULL; names++)
        if (strncmp(name, *names, length) == 0 && (*names)[length] == '\0') return true;
    return false;
}

static bool is_one_of(const struct process *process, const char *const *names) {
    return is_among(process->name, strlen(process->name), names);
}

static bool is_mark(const char *variable) { return is_among(variable, strcspn(variable, "="), AGENT_VARIABLES); }

/* `/usr/bin/Gemini.js` is `gemini`. */
static bool names_agent(const char *word) {
    static const char *const endings[] = {".exe", ".js", ".mjs", ".py", NULL};
    char *name = last_part(word);
    for (char *letter = name; *letter != '\0'; letter++)
        if (*letter >= 'A' && *letter <= 'Z') *letter = (char)(*letter - 'A' + 'a');
    for (const char *const *ending = endings; *ending != NULL; ending++) {
        const size_t length = strlen(name), rest = strlen(*ending);
        if (length > rest && strcmp(name + length - rest, *ending) == 0) name[length - rest] = '\0';
    }
    return is_among(name, strlen(name), AGENT_PROGRAMS);
}

/* The program itself, or the script that an interpreter runs: of the first four words, two that are no options. */
static bool is_agent(const struct process *process) {
    int seen = 0, plain = 0;
    const char *word = NULL;
    while ((word = next_text(&process->words, word)) != NULL && seen++ < 4 && plain < 2)
        if (*word != '-' && plain++ < 2 && names_agent(word)) return true;
    const char *variable = NULL;
    while ((variable = next_text(&process->variables, variable)) != NULL)
        if (is_mark(variable)) return true;
    return false;
}

/* A shell that was given neither a command nor a script. */
static bool waits_for_input(const struct process *process) {
    if (!is_one_of(process, SHELLS)) return false;
    const char *word = next_text(&process->words, NULL);
    while (word != NULL && (word = next_text(&process->words, word)) != NULL)
        if (*word != '-' || strchr(word, 'c') != NULL) return false;
    return true;
}

static bool is_disguised(const struct process *process) {
    static const char *const open_to_all[] = {"/tmp/", "/var/tmp/", "/dev/shm/", NULL};
    for (const char *const *folder = open_to_all; *folder != NULL; folder++)
        if (strncmp(process->program, *folder, strlen(*folder)) == 0) return true;
    return false;
}

/* An `ssh localhost` proves nothing that an agent could not do. */
static bool came_from_here(const struct process *process) {
    const char *variable = NULL;
    while ((variable = next_text(&process->variables, variable)) != NULL)
        if (strncmp(variable, "SSH_CONNECTION=", 15) == 0) break;
    if (variable == NULL) return true;
    char *rest = strdup(variable + 15);
    const char *from = strsep(&rest, " ");
    strsep(&rest, " ");
    const char *to = strsep(&rest, " ");
    return to == NULL || strcmp(from, to) == 0 || strncmp(from, "127.", 4) == 0 || strncmp(from, "::1", 3) == 0 ||
           strncmp(from, "::ffff:127.", 11) == 0;
}

/* A session of sshd runs as the user, below one that runs as root. */
static bool is_remote_login(const struct process *process) {
    struct process above;
    if (!is_one_of(process, REMOTE_LOGINS)) return false;
    if (process->user == 0) return true;
    return look_at(decimal(process->parent), &above) && above.user == 0 && is_one_of(&above, REMOTE_LOGINS);
}

static bool is_login(const struct process *process, const struct process *child) {
    if (is_remote_login(process)) return !came_from_here(child);
    const bool console = is_one_of(process, CONSOLE_LOGINS) && process->user == 0;
    const bool window = is_one_of(process, TERMINAL_WINDOWS) && !is_disguised(process);
    return (console || window) && waits_for_input(child);
}

static bool is_elevator(const struct process *process) { return is_one_of(process, ELEVATORS) && process->user == 0; }

static bool passes(const struct process *process) {
    return waits_for_input(process) || is_elevator(process) || is_one_of(process, LAUNCHERS) ||
           (process->id == 1 && is_one_of(process, CONTAINER_INITS));
}

/* A process without a parent came from outside, as by `docker exec -it`, or is the container's first. */
static bool was_entered(const struct process *process) {
    const bool known = is_one_of(process, SHELLS) || is_one_of(process, CONTAINER_INITS) || process->id != 1;
    return known && process->terminal > 0 && process->session == process->id;
}

static const char *about(const char *words, const struct process *process) {
    return join(join(join(words, process->name), " is process "), decimal(process->id));
}

static const char *marked_variable(void) {
    for (char **variable = environ; *variable != NULL; variable++)
        if (is_mark(*variable)) return join(strndup(*variable, strcspn(*variable, "=")), " is set, as in an agent");
    return NULL;
}

const char *why_no_person(void) {
    struct process own, child, parent;
    const char *variable = marked_variable();
    if (variable != NULL) return variable;
    if (!look_at("self", &own)) return "its own process cannot be seen";
    if (own.foreground <= 0 || own.foreground != own.group) return "it does not run in the foreground of a terminal";
    child = own;
    bool led = own.group == own.id; /* by one of those that lead to it */
    for (int count = 0; count < MOST_PARENTS && child.parent != 0; count++, child = parent) {
        if (!look_at(decimal(child.parent), &parent)) return "one of its parents cannot be seen";
        if (is_agent(&parent)) return about("this runs inside an agent: ", &parent);
        led = led || parent.id == own.group;
        if (led && is_login(&parent, &child)) return NULL;
        if (!passes(&parent)) return about("no login of a person leads to it; ", &parent);
        if (child.session != parent.session && !is_elevator(&child))
            return about("a session was begun on the way to it; ", &child);
    }
    return led && was_entered(&child) ? NULL : "no login of a person leads to it";
}
