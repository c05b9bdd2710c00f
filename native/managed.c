/* What those who manage the machine forbid: `hooks/managed.yaml` in /etc/fairlead, and in the bundle of its fleet.
 *
 * Only asked where the client answers by itself, or a person switches it off: an ordinary call pays nothing. Read
 * line by line as src/fairlead/policy/managed/forbidden.py does: what is not plainly written forbids.
 */
#include "client.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SYSTEM_FOLDER "/etc/fairlead"
#define SYSTEM_FLEET "/var/lib/fairlead/fleet"

enum { MANAGED_LIMIT = 65536 };

static bool starts_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

/* A word, or a mark of YAML that could mean anything. */
static bool names_deed(char *line, const char *deed) {
    for (char *letter = line; *letter != '\0'; letter++)
        if (strchr("[],-\"'\t", *letter) != NULL) *letter = ' ';
    char *rest = line;
    const char *word;
    while ((word = strsep(&rest, " ")) != NULL) {
        if (strcmp(word, deed) == 0) return true;
        for (; *word != '\0'; word++)
            if (*word < 'a' || *word > 'z') return true;
    }
    return false;
}

/* Without its comment, and without what is blank at its end. */
static void trim(char *line) {
    line[strcspn(line, "#")] = '\0';
    size_t length = strlen(line);
    while (length > 0 && strchr(" \t\r", line[length - 1]) != NULL) line[--length] = '\0';
}

static bool text_forbids(char *text, const char *deed) {
    bool inside = false;
    char *rest = text, *line;
    while ((line = strsep(&rest, "\n")) != NULL) {
        trim(line);
        if (*line == '\0' || strcmp(line, "---") == 0) continue;
        if (strchr(" \t-", *line) == NULL) {
            inside = starts_with(line, "forbid:");
            if (!inside && !starts_with(line, "lock:") && !starts_with(line, "break_glass:")) return true;
            line = strchr(line, ':') + 1;
        }
        if (inside && names_deed(line, deed)) return true;
    }
    return false;
}

static bool file_forbids(const char *path, const char *deed) {
    struct bytes text = {0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return errno != ENOENT && errno != ENOTDIR;
    ssize_t count = 1;
    while (count > 0 && text.length <= MANAGED_LIMIT) count = read_some(fd, &text, MANAGED_LIMIT + 1 - text.length);
    close(fd);
    append(&text, "", 1);
    /* A zero within would hide what stands behind it. */
    const bool readable = count == 0 && strlen(text.data) == text.length - 1;
    const bool forbids = !readable || text_forbids(text.data, deed);
    free(text.data);
    return forbids;
}

/* `state` is the user's folder; a machine that root has enrolled has its bundle where root keeps it. */
bool is_forbidden(const char *state, const char *deed) {
    if (file_forbids(SYSTEM_FOLDER "/hooks/managed.yaml", deed)) return true;
    struct stat found;
    const bool by_root = lstat(SYSTEM_FOLDER "/fleet.yaml", &found) == 0;
    char *fleet = by_root ? strdup(SYSTEM_FLEET) : join(state, "/fleet");
    char *path = join(fleet, "/current/hooks/managed.yaml");
    const bool forbids = file_forbids(path, deed);
    free(path);
    free(fleet);
    return forbids;
}
