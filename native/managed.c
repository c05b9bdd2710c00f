/* What those who manage the machine forbid: `hooks/managed.yaml` in /etc/fairlead, and in the bundle of its fleet.
 *
 * Only asked where the client answers by itself, or a person switches it off: an ordinary call pays nothing. What
 * is not plainly written forbids.
 */
#include "client.h"
#include "plain.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SYSTEM_FOLDER "/etc/fairlead"
#define SYSTEM_FLEET "/var/lib/fairlead/fleet"

enum { MANAGED_LIMIT = 65536 };

static bool file_forbids(const char *path, const char *deed) {
    struct bytes text = {0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return errno != ENOENT && errno != ENOTDIR;
    ssize_t count = 1;
    while (count > 0 && text.length <= MANAGED_LIMIT) count = read_some(fd, &text, MANAGED_LIMIT + 1 - text.length);
    close(fd);
    const bool forbids = count != 0 || plainly_forbids(text.data == NULL ? "" : text.data, text.length, deed);
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
