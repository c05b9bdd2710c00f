/* The off-marker that names what somebody elsewhere has granted. src/fairlead/policy/glass/granted.py says what it
 * means; whoever has the folder of the fleet has checked it: root, where root has enrolled the machine. */
#include "client.h"
#include "glass.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ID, UID, BOOT, FROM, UNTIL, WALL, BY, RECORD, FIELDS };
enum { ID_LENGTH = 32, LONGEST_S = 86400, LIMIT = 2049 };

static const char MARK[] = "granted ", HEAD[] = "off 1\n", ENROLMENT[] = "/etc/fairlead/fleet.yaml";
static const char SYSTEM_POLICY[] = "/etc/fairlead/hooks/managed.yaml";
static const char *const NAMES[FIELDS] = {"id", "uid", "boot", "from", "until", "wall", "by", "record"};

bool is_granted_marker(const char *marker) { return strncmp(marker, MARK, sizeof MARK - 1) == 0; }

static bool is_ours(const char *uid) {
    char *own = decimal(getuid());
    const bool ours = strcmp(uid, "*") == 0 || strcmp(uid, own) == 0;
    free(own);
    return ours;
}

static bool is_granted_now(const char *path, const char *id, bool by_root) {
    static char text[LIMIT];
    char *values[FIELDS];
    struct stat found;
    if (!read_own_file(path, text, sizeof text)) return false;
    if (by_root && (lstat(path, &found) != 0 || found.st_uid != 0)) return false;
    if (!read_glass_fields(text, HEAD, NAMES, FIELDS, values) || strcmp(values[ID], id) != 0) return false;
    const struct glass_time time = {values[BOOT], values[FROM], values[UNTIL], values[WALL], LONGEST_S};
    return is_ours(values[UID]) && is_glass_time(&time);
}

bool is_granted(const char *marker, const char *state) {
    char id[ID_LENGTH + 1];
    uint8_t bytes[ID_LENGTH / 2];
    const char *name = marker + sizeof MARK - 1;
    if (strlen(name) != ID_LENGTH + 1 || name[ID_LENGTH] != '\n') return false;
    memcpy(id, name, ID_LENGTH);
    id[ID_LENGTH] = '\0';
    if (!from_hex(id, sizeof bytes, bytes)) return false;
    struct stat found;
    const bool enrolled = lstat(ENROLMENT, &found) == 0, by_root = enrolled || lstat(SYSTEM_POLICY, &found) == 0;
    char *folder = join(enrolled ? "/var/lib/fairlead" : state, "/fleet/off/"), *path = join(folder, id);
    const bool granted = is_granted_now(path, id, by_root);
    free(path);
    free(folder);
    return granted;
}
