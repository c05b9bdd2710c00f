/* `managed.yaml` as src/fairlead/policy/managed/plain.py reads it: what is not plainly written forbids everything. */
#include "client.h"
#include "plain.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DEED "(off|allow|trust|approve|\"(off|allow|trust|approve)\"|'(off|allow|trust|approve)')"
#define WORD "[A-Za-z_][A-Za-z0-9_./*@+-]*"
#define NAME "(" WORD "|\"" WORD "\"|'" WORD "')"
#define HEX "-[0-9a-f]{16}-[0-9a-f]{64}"
#define MINUTES "([1-9]|[1-9][0-9]|[1-9][0-9][0-9]|1[0-3][0-9][0-9]|14[0-3][0-9]|1440)"
#define SOME(item) "\\[ *(" item "( *, *" item ")*) *\\]"
#define ANY(item) "\\[ *(" item "( *, *" item ")*)? *\\]"
#define PAIR \
    "(codes: +" SOME("1" HEX) "|answers: +" SOME("2" HEX) "|minutes: +" MINUTES "|people: +" SOME(NAME) ")"

enum key { FORBID, LOCK, GLASS, CODES, ANSWERS, LIMIT, PEOPLE, KEYS, NO_KEY = KEYS };

static const char *const NAMES[KEYS] = {"forbid", "lock", "break_glass", "codes", "answers", "minutes", "people"};
static const char *const VALUES[KEYS] = {
    "^ +" ANY(DEED) "$",     "^ +" ANY(NAME) "$", "^ +\\{ *" PAIR "( *, *" PAIR ")* *\\}$", "^ +" SOME("1" HEX) "$",
    "^ +" SOME("2" HEX) "$", "^ +" MINUTES "$",   "^ +" SOME(NAME) "$"};
static const char *const ITEMS[KEYS] = {
    [FORBID] = "^" DEED "$", [LOCK] = "^" NAME "$",      [CODES] = "^1" HEX "$",
    [ANSWERS] = "^2" HEX "$", [PEOPLE] = "^" NAME "$"};

struct place { /* in which keys, and how far their lists are indented; -1 for not yet */
    enum key key, below;
    int indent, items;
    bool filled, seen[KEYS];
};

static bool matches(const char *form, const char *text) {
    regex_t compiled;
    if (form == NULL || regcomp(&compiled, form, REG_EXTENDED | REG_NOSUB) != 0) return false;
    const bool found = regexec(&compiled, text, 0, NULL, 0) == 0;
    regfree(&compiled);
    return found;
}

/* Whether one of the words in a list is among these. */
static bool has_word(const char *list, const char *const *words, size_t count) {
    char *copy = strdup(list), *rest = copy, *word;
    bool found = copy == NULL;
    while (copy != NULL && (word = strsep(&rest, " []{},\"'")) != NULL)
        for (size_t i = 0; i < count; i++) found = found || (*word != '\0' && strcasecmp(word, words[i]) == 0);
    free(copy);
    return found;
}

/* Without what YAML takes for something else than a name; `forbid` has `off` for a word of its own. */
static bool is_plain(const char *form, const char *value, enum key key) {
    static const char *const others[] = {"on", "off", "yes", "no", "true", "false", "null"};
    if (!matches(form, value)) return false;
    return (key != LOCK && key != PEOPLE) || !has_word(value, others, sizeof others / sizeof *others);
}

static bool take_top(struct place *at, enum key key, const char *value) {
    const bool given = *value != '\0';
    if (key > GLASS || (given && !is_plain(VALUES[key], value, key))) return false;
    at->key = key;
    at->below = NO_KEY;
    at->items = given ? 0 : -1;
    at->indent = given && key == GLASS ? 0 : -1;
    at->seen[key] = true;
    at->filled = given;
    for (enum key each = CODES; key == GLASS && each < KEYS; each++) {
        char *label = join(NAMES[each], ":");
        const char *first = strstr(value, label);
        const bool again = first != NULL && (at->seen[each] || strstr(first + 1, label) != NULL);
        at->seen[each] = at->seen[each] || first != NULL;
        free(label);
        if (again) return false;
    }
    return true;
}

static bool take_below(struct place *at, int indent, enum key key, const char *value) {
    const bool given = *value != '\0', inside = at->key == GLASS && (at->indent == -1 || at->indent == indent);
    if (!inside || key < CODES || key >= KEYS) return false;
    at->below = key;
    at->indent = indent;
    at->items = given ? indent : -1;
    at->filled = given;
    at->seen[key] = true;
    return given ? is_plain(VALUES[key], value, key) : key != LIMIT;
}

static bool take_item(struct place *at, int indent, const char *text) {
    const enum key key = at->below != NO_KEY ? at->below : at->key;
    const bool deeper = indent >= (at->indent > 0 ? at->indent : 0) && (at->items == -1 || at->items == indent);
    const bool started = at->items == indent || !at->filled;
    if (key >= KEYS || !deeper || !started || !is_plain(ITEMS[key], text, key)) return false;
    at->items = indent;
    at->filled = true;
    return true;
}

static bool read_line(struct place *at, const char *line) {
    const size_t indent = strspn(line, " ");
    const char *text = line + indent, *colon = strchr(text, ':');
    if (strncmp(text, "- ", 2) == 0) return take_item(at, (int)indent, text + 2 + strspn(text + 2, " "));
    if (colon == NULL) return false;
    enum key key = 0;
    while (key < KEYS && (strlen(NAMES[key]) != (size_t)(colon - text) || strncmp(text, NAMES[key], (size_t)(colon - text)) != 0))
        key++;
    if (key == KEYS || at->seen[key]) return false;
    if (!at->filled && (indent == 0 || at->key != GLASS || at->below != NO_KEY)) return false;
    return indent == 0 ? take_top(at, key, colon + 1) : take_below(at, (int)indent, key, colon + 1);
}

/* Where a line of YAML ends besides: what stands behind one could be anything. */
static bool holds_other_break(const char *comment) {
    return strchr(comment, '\r') != NULL || strstr(comment, "\xc2\x85") != NULL ||
           strstr(comment, "\xe2\x80\xa8") != NULL || strstr(comment, "\xe2\x80\xa9") != NULL;
}

/* Cuts its comment and the blanks at its end off; false where it cannot be plain. */
static bool trim(char *line) {
    size_t length = strlen(line);
    if (length > 0 && line[length - 1] == '\r') line[--length] = '\0';
    char *comment = strchr(line, '#');
    if (comment != NULL && (holds_other_break(comment) || (comment > line && comment[-1] != ' '))) return false;
    if (comment != NULL) *comment = '\0';
    for (const char *letter = line; *letter != '\0'; letter++)
        if (*letter < 0x20 || *letter >= 0x7f) return false;
    length = strlen(line);
    while (length > 0 && line[length - 1] == ' ') line[--length] = '\0';
    return true;
}

static bool is_open(const char *line) {
    int depth = 0;
    for (; *line != '\0'; line++) depth += (*line == '[' || *line == '{') - (*line == ']' || *line == '}');
    return depth > 0;
}

/* Reads one whole line; false where it is not plain. */
static bool take_line(struct place *at, const char *line, const char *deed, bool *named) {
    bool any = false;
    for (enum key each = 0; each < KEYS; each++) any = any || at->seen[each];
    if (*line == '\0' || (strcmp(line, "---") == 0 && !any)) return true;
    if (!read_line(at, line)) return false;
    const char *words = strncmp(line, "forbid:", 7) == 0 ? line + 7 : line;
    *named = *named || (at->key == FORBID && has_word(words, &deed, 1));
    return true;
}

static bool read_all(char *text, struct place *at, const char *deed, bool *named) {
    struct bytes whole = {0};
    char *rest = text, *line;
    bool plain = true;
    while (plain && (line = strsep(&rest, "\n")) != NULL) {
        const bool goes_on = whole.length > 0;
        plain = trim(line) && !(goes_on && *line != '\0' && *line != ' ');
        const char *part = goes_on ? line + strspn(line, " ") : line;
        if (goes_on) append(&whole, " ", 1);
        append(&whole, part, strlen(part));
        append(&whole, "", 1);
        whole.length--;
        if (is_open(whole.data)) continue;
        plain = plain && take_line(at, whole.data, deed, named);
        whole.length = 0;
    }
    plain = plain && whole.length == 0;
    free(whole.data);
    return plain;
}

bool plainly_forbids(const char *text, size_t length, const char *deed) {
    struct place at = {.key = NO_KEY, .below = NO_KEY, .indent = -1, .items = -1, .filled = true};
    bool named = false;
    char *copy = strndup(text, length);
    /* A zero within would hide what stands behind it. */
    const bool plain = copy != NULL && strlen(copy) == length && read_all(copy, &at, deed, &named);
    free(copy);
    const bool said = at.seen[FORBID] || at.seen[LOCK] || at.seen[GLASS];
    return !plain || named || !at.filled || !said || (at.seen[GLASS] && !at.seen[CODES] && !at.seen[ANSWERS]);
}
