/* The other off-marker, which a one-time code has signed. src/fairlead/policy/glass says what it means and why;
 * this only checks one, and takes nothing for true that it does not. */
#include "client.h"
#include "glass.h"
#include "system.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LINK = 20, CHAINS = 67, STEPS = 15, DIGITS = 64, PUBLIC = 64, LONGEST_S = 86400 };
enum { CODE_LENGTH = 2 + 2 * GLASS_SALT + 1 + PUBLIC, MANAGED_LIMIT = 65537 };
enum { CODE, UID, BOOT, FROM, UNTIL, WALL, RECORD, FIELDS };

static const char HEAD[] = "glass 1\n", SIGNATURE[] = "signature=", CONTEXT[] = "fairlead-glass-v1\n";
static const char SYSTEM_POLICY[] = "/etc/fairlead/hooks/managed.yaml", ENROLMENT[] = "/etc/fairlead/fleet.yaml";
static const char *const NAMES[FIELDS] = {"code", "uid", "boot", "from", "until", "wall", "record"};

bool is_glass_marker(const char *marker) { return strncmp(marker, "glass ", 6) == 0; }

bool from_hex(const char *text, size_t length, uint8_t *bytes) {
    static const char letters[] = "0123456789abcdef";
    for (size_t i = 0; i < 2 * length; i++) {
        const char *found = text[i] == '\0' ? NULL : strchr(letters, text[i]);
        if (found == NULL) return false;
        const uint8_t digit = (uint8_t)(found - letters);
        bytes[i / 2] = (uint8_t)(i % 2 ? bytes[i / 2] | digit : digit << 4);
    }
    return true;
}

bool read_glass_code(const char *text, char kind, struct glass_code *code) {
    if (strlen(text) != CODE_LENGTH || text[0] != kind || text[1] != '-' || text[2 + 2 * GLASS_SALT] != '-') return false;
    return from_hex(text + 2, GLASS_SALT, code->salt) &&
           from_hex(text + 3 + 2 * GLASS_SALT, sizeof code->public, code->public);
}

/* The value of the field in this line, which is cut off from the rest; NULL where another one stands. */
static char *take_field(char **rest, const char *name) {
    char *line = *rest == NULL ? NULL : strsep(rest, "\n");
    const size_t length = strlen(name);
    const bool right = line != NULL && strncmp(line, name, length) == 0 && line[length] == '=';
    return right ? line + length + 1 : NULL;
}

/* All lines of a marker, each with the name that belongs there, and nothing else. */
bool read_glass_fields(char *text, const char *head, const char *const *names, size_t count, char **values) {
    if (strncmp(text, head, strlen(head)) != 0) return false;
    char *rest = text + strlen(head);
    for (size_t i = 0; i < count; i++)
        if ((values[i] = take_field(&rest, names[i])) == NULL) return false;
    return rest != NULL && *rest == '\0';
}

/* By the clock that nobody sets, and by the one on the wall. */
bool is_glass_time(const struct glass_time *said) {
    const int64_t start = whole_number(said->start), end = whole_number(said->end), wall = whole_number(said->wall);
    const int64_t running = seconds_since_boot();
    char *boot = name_boot();
    const bool same = *boot != '\0' && strcmp(boot, said->boot) == 0;
    free(boot);
    if (!same || start < 0 || end < 0 || running < 0) return false;
    return start <= running && running < end && end <= start + said->longest && (int64_t)time(NULL) < wall;
}

static void digits_of(const char *text, size_t length, uint8_t digits[CHAINS]) {
    uint8_t digest[SHA256_LENGTH];
    struct bytes signed_bytes = {0};
    append(&signed_bytes, CONTEXT, sizeof CONTEXT - 1);
    append(&signed_bytes, text, length);
    sha256(signed_bytes.data, signed_bytes.length, digest);
    free(signed_bytes.data);
    unsigned rest = 0;
    for (size_t i = 0; i < DIGITS; i++) {
        digits[i] = (uint8_t)(i % 2 ? digest[i / 2] & 15 : digest[i / 2] >> 4);
        rest += (unsigned)(STEPS - digits[i]);
    }
    digits[DIGITS] = (uint8_t)(rest >> 8);
    digits[DIGITS + 1] = (uint8_t)(rest >> 4 & 15);
    digits[DIGITS + 2] = (uint8_t)(rest & 15);
}

/* Walks every chain to its end: what the ends hash to is the key that signed. */
static bool is_signed_by(const uint8_t *public, const uint8_t *salt, const uint8_t *digits, const uint8_t *links) {
    uint8_t ends[CHAINS * LINK], digest[SHA256_LENGTH], step[GLASS_SALT + 2 + LINK];
    memcpy(step, salt, GLASS_SALT);
    for (size_t chain = 0; chain < CHAINS; chain++) {
        step[GLASS_SALT] = (uint8_t)chain;
        memcpy(step + GLASS_SALT + 2, links + chain * LINK, LINK);
        for (uint8_t at = digits[chain]; at < STEPS; at++) {
            step[GLASS_SALT + 1] = at;
            sha256(step, sizeof step, digest);
            memcpy(step + GLASS_SALT + 2, digest, LINK);
        }
        memcpy(ends + chain * LINK, step + GLASS_SALT + 2, LINK);
    }
    sha256(ends, sizeof ends, digest);
    return memcmp(digest, public, SHA256_LENGTH) == 0;
}

static bool is_signed(const char *written, const char *text, size_t length, const char *signature) {
    static uint8_t links[CHAINS * LINK];
    struct glass_code code;
    uint8_t digits[CHAINS];
    if (!read_glass_code(written, '1', &code)) return false;
    if (strlen(signature) != 2 * sizeof links + 1 || signature[2 * sizeof links] != '\n') return false;
    if (!from_hex(signature, sizeof links, links)) return false;
    digits_of(text, length, digits);
    return is_signed_by(code.public, code.salt, digits, links);
}

/* Searched, not parsed. What stands behind a `#` does not count. */
static bool names_code(const char *path, const char *code, bool by_root) {
    static char text[MANAGED_LIMIT];
    struct stat found;
    if (!read_own_file(path, text, sizeof text) || (by_root && (stat(path, &found) != 0 || found.st_uid != 0)))
        return false;
    char *rest = text, *line;
    while ((line = strsep(&rest, "\n")) != NULL) {
        line[strcspn(line, "#")] = '\0';
        if (strstr(line, code) != NULL) return true;
    }
    return false;
}

/* Where root manages the machine, a policy of root's has to name it. */
bool is_glass_code_in_force(const char *code, const char *state) {
    struct stat found;
    const bool enrolled = lstat(ENROLMENT, &found) == 0, by_root = enrolled || lstat(SYSTEM_POLICY, &found) == 0;
    char *fleet = join(enrolled ? "/var/lib/fairlead" : state, "/fleet/current/hooks/managed.yaml");
    const bool named = names_code(SYSTEM_POLICY, code, by_root) || names_code(fleet, code, by_root);
    free(fleet);
    return named;
}

bool is_glass_broken(const char *marker, const char *state) {
    if (is_answered_marker(marker)) return is_answered_glass_broken(marker, state);
    const char *signature = strstr(marker, SIGNATURE);
    if (signature == NULL) return false;
    const size_t length = (size_t)(signature - marker);
    char *text = strndup(marker, length), *values[FIELDS];
    if (text == NULL) return false;
    bool broken = false;
    if (read_glass_fields(text, HEAD, NAMES, FIELDS, values) && whole_number(values[UID]) == (int64_t)getuid()) {
        const struct glass_time time = {values[BOOT], values[FROM], values[UNTIL], values[WALL], LONGEST_S};
        broken = is_glass_time(&time) && is_signed(values[CODE], marker, length, signature + sizeof SIGNATURE - 1) &&
                 is_glass_code_in_force(values[CODE], state);
    }
    free(text);
    return broken;
}
