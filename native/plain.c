/* `managed.yaml` as src/fairlead/policy/managed/plain.py reads it: what is not plainly written forbids everything. */
#include "client.h"
#include "plain.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DIGITS "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"

enum key { FORBID, LOCK, GLASS, CODES, ANSWERS, LIMIT, PEOPLE, KEYS, NO_KEY = KEYS };

static const char *const NAMES[KEYS] = {"forbid", "lock", "break_glass", "codes", "answers", "minutes", "people"};

struct place { /* in which keys, and how far their lists are indented; -1 for not yet */
    enum key key, below;
    int indent, items;
    bool filled, seen[KEYS];
};

/* Each of these moves on behind what it takes, or says false. */
typedef bool taker(const char **at);

static bool take_letter(const char **at, char letter) {
    if (**at != letter) return false;
    ++*at;
    return true;
}

static bool take_blanks(const char **at) {
    const size_t count = strspn(*at, " ");
    *at += count;
    return count > 0;
}

static bool take_hex(const char **at, size_t length) {
    const size_t count = strspn(*at, DIGITS "abcdef");
    *at += count;
    return count == length;
}

static bool take_line_of(const char **at, char kind) {
    return take_letter(at, kind) && take_letter(at, '-') && take_hex(at, 16) && take_letter(at, '-') && take_hex(at, 64);
}

static bool take_code(const char **at) { return take_line_of(at, '1'); }

static bool take_answer(const char **at) { return take_line_of(at, '2'); }

static bool take_minutes(const char **at) {
    const size_t count = strspn(*at, DIGITS);
    if (count == 0 || count > 4 || **at == '0') return false;
    int minutes = 0;
    for (size_t i = 0; i < count; i++) minutes = minutes * 10 + *(*at)++ - '0';
    return minutes <= 1440;
}

static bool take_deed_word(const char **at) {
    static const char *const deeds[] = {"off", "allow", "trust", "approve"};
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++)
        if (strncmp(*at, deeds[i], strlen(deeds[i])) == 0) {
            *at += strlen(deeds[i]);
            return true;
        }
    return false;
}

static bool take_name_word(const char **at) {
    if (strspn(*at, LETTERS) == 0) return false;
    *at += strspn(*at, LETTERS DIGITS "./*@+-");
    return true;
}

static bool take_in_quotes(const char **at, taker *word) {
    const char quote = **at;
    if (quote != '"' && quote != '\'') return word(at);
    ++*at;
    return word(at) && take_letter(at, quote);
}

static bool take_deed(const char **at) { return take_in_quotes(at, take_deed_word); }

static bool take_name(const char **at) { return take_in_quotes(at, take_name_word); }

static bool take_pair(const char **at);

/* One at least, with commas between, up to the letter that ends them. */
static bool take_some(const char **at, taker *one, char end) {
    while (one(at)) {
        take_blanks(at);
        if (take_letter(at, end)) return true;
        if (!take_letter(at, ',')) return false;
        take_blanks(at);
    }
    return false;
}

static taker *const ITEMS[KEYS] = {
    [FORBID] = take_deed, [LOCK] = take_name, [CODES] = take_code, [ANSWERS] = take_answer, [PEOPLE] = take_name};

/* What stands behind a key and its colon. */
static bool take_value(const char **at, enum key key) {
    if (!take_blanks(at)) return false;
    if (key == LIMIT) return take_minutes(at);
    if (!take_letter(at, key == GLASS ? '{' : '[')) return false;
    take_blanks(at);
    if (key == GLASS) return take_some(at, take_pair, '}');
    return (key <= LOCK && take_letter(at, ']')) || take_some(at, ITEMS[key], ']');
}

static bool take_pair(const char **at) {
    for (enum key key = CODES; key < KEYS; key++) {
        const size_t length = strlen(NAMES[key]);
        if (strncmp(*at, NAMES[key], length) != 0 || (*at)[length] != ':') continue;
        *at += length + 1;
        return take_value(at, key);
    }
    return false;
}

static bool is_value(const char *text, enum key key) { return take_value(&text, key) && *text == '\0'; }

static bool is_item(const char *text, enum key key) {
    return ITEMS[key] != NULL && ITEMS[key](&text) && *text == '\0';
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
static bool names_only(const char *value, enum key key) {
    static const char *const others[] = {"on", "off", "yes", "no", "true", "false", "null"};
    return (key != LOCK && key != PEOPLE) || !has_word(value, others, sizeof others / sizeof *others);
}

static bool take_top(struct place *at, enum key key, const char *value) {
    const bool given = *value != '\0';
    if (key > GLASS || (given && !(is_value(value, key) && names_only(value, key)))) return false;
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
    return given ? is_value(value, key) && names_only(value, key) : key != LIMIT;
}

static bool take_item(struct place *at, int indent, const char *text) {
    const enum key key = at->below != NO_KEY ? at->below : at->key;
    const bool deeper = indent >= (at->indent > 0 ? at->indent : 0) && (at->items == -1 || at->items == indent);
    const bool started = at->items == indent || !at->filled;
    if (key >= KEYS || !deeper || !started || !is_item(text, key) || !names_only(text, key)) return false;
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
