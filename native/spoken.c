/* The off-marker with an answer that was read out by telephone. src/fairlead/policy/glass/{answered,spoken}.py say
 * what it means and why; this only checks one. */
#include "client.h"
#include "glass.h"
#include "sha256.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINK = 10, CHAINS = 3, DIGIT = 65535, ROUNDS = 131072, WAITS_S = 900, MOST_MINUTES = 1440, MARK = 10 };
enum { CODE, MACHINE, GROUP, BUNDLE, USER, MINUTES, UID, BOOT, FROM, NONCE, UNTIL, WALL, RECORD, ANSWER, FIELDS };

static const char HEAD[] = "glass 2\n";
static const char *const NAMES[FIELDS] = {"code", "machine", "group", "bundle", "user",  "minutes", "uid",
                                          "boot", "from",    "nonce", "until",  "wall", "record",  "answer"};

bool is_answered_marker(const char *marker) { return strncmp(marker, HEAD, sizeof HEAD - 1) == 0; }

static void append_lines(struct bytes *bytes, char *const *values, const int *which, size_t count) {
    for (size_t i = 0; i < count; i++) {
        append(bytes, values[which[i]], strlen(values[which[i]]));
        append(bytes, "\n", 1);
    }
}

/* What binds it to this start of the machine, in forty bits. */
static void mark_of(char *const *values, char mark[MARK + 1]) {
    static const char context[] = "fairlead-challenge-v1\n", letters[] = "0123456789abcdef";
    static const int bound[] = {UID, BOOT, FROM, NONCE};
    struct bytes said = {0};
    uint8_t digest[SHA256_LENGTH];
    append(&said, context, sizeof context - 1);
    append_lines(&said, values, bound, sizeof bound / sizeof *bound);
    sha256(said.data, said.length, digest);
    free(said.data);
    for (size_t i = 0; i < MARK; i++) mark[i] = letters[i % 2 ? digest[i / 2] & 15 : digest[i / 2] >> 4];
    mark[MARK] = '\0';
}

/* Slow on purpose: so few bits are signed that somebody could look for another message that has them. */
static void digits_of(char *const *values, const uint8_t *salt, uint32_t digits[CHAINS]) {
    static const char context[] = "fairlead-spoken-v1\n";
    static const int named[] = {MACHINE, GROUP, BUNDLE, USER, MINUTES};
    struct bytes message = {0};
    char mark[MARK + 1];
    uint8_t step[SHA256_LENGTH + GLASS_SALT];
    append(&message, context, sizeof context - 1);
    append_lines(&message, values, named, sizeof named / sizeof *named);
    mark_of(values, mark);
    append(&message, mark, MARK);
    append(&message, "\n", 1);
    sha256(message.data, message.length, step);
    free(message.data);
    memcpy(step + SHA256_LENGTH, salt, GLASS_SALT);
    for (int i = 0; i < ROUNDS; i++) {
        uint8_t digest[SHA256_LENGTH];
        sha256(step, sizeof step, digest);
        memcpy(step, digest, SHA256_LENGTH);
    }
    digits[0] = (uint32_t)step[0] << 8 | step[1];
    digits[1] = (uint32_t)step[2] << 8 | step[3];
    digits[2] = 2 * DIGIT - digits[0] - digits[1];
}

static bool is_signed_by(const uint8_t *public, const uint8_t *salt, const uint32_t *digits, const uint8_t *links) {
    uint8_t ends[CHAINS * LINK], digest[SHA256_LENGTH], step[GLASS_SALT + 4 + LINK];
    memcpy(step, salt, GLASS_SALT);
    for (size_t chain = 0; chain < CHAINS; chain++) {
        step[GLASS_SALT] = (uint8_t)chain;
        memcpy(step + GLASS_SALT + 4, links + chain * LINK, LINK);
        for (uint32_t at = digits[chain]; at < (chain < 2 ? DIGIT : 2 * DIGIT); at++) {
            step[GLASS_SALT + 1] = (uint8_t)(at >> 16);
            step[GLASS_SALT + 2] = (uint8_t)(at >> 8);
            step[GLASS_SALT + 3] = (uint8_t)at;
            sha256(step, sizeof step, digest);
            memcpy(step + GLASS_SALT + 4, digest, LINK);
        }
        memcpy(ends + chain * LINK, step + GLASS_SALT + 4, LINK);
    }
    sha256(ends, sizeof ends, digest);
    return memcmp(digest, public, SHA256_LENGTH) == 0;
}

static bool is_signed(char *const *values) {
    struct glass_code code;
    uint8_t links[CHAINS * LINK];
    uint32_t digits[CHAINS];
    if (!read_glass_code(values[CODE], '2', &code) || strlen(values[ANSWER]) != 2 * sizeof links) return false;
    if (!from_hex(values[ANSWER], sizeof links, links)) return false;
    digits_of(values, code.salt, digits);
    return is_signed_by(code.public, code.salt, digits, links);
}

bool is_answered_glass_broken(const char *marker, const char *state) {
    char *text = strdup(marker), *values[FIELDS];
    if (text == NULL) return false;
    bool broken = false;
    if (read_glass_fields(text, HEAD, NAMES, FIELDS, values) && whole_number(values[UID]) == (int64_t)getuid()) {
        const int64_t minutes = whole_number(values[MINUTES]), bundle = whole_number(values[BUNDLE]);
        const struct glass_time time = {values[BOOT], values[FROM], values[UNTIL], values[WALL], WAITS_S + 60 * minutes};
        const bool well = minutes >= 0 && minutes <= MOST_MINUTES && bundle >= 0;
        broken = well && is_glass_time(&time) && is_signed(values) && is_glass_code_in_force(values[CODE], state);
    }
    free(text);
    return broken;
}
