// SPDX-License-Identifier: GPL-3.0-or-later
// The nearest name.
#include "engine/base/nearest.h"

#include "engine/base/text.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { WORD_MAX = 64, PREFIX_MIN = 2, CHOICES_MAX = 32 };

static int min(int a, int b) { return a < b ? a : b; }

static bool same(char a, char b) { return tolower((unsigned char)a) == tolower((unsigned char)b); }

// How many slips lead from one word to the other: three rows of the matrix are enough.
static int slips(const char *a, const char *b) {
    size_t la = strlen(a), lb = strlen(b);
    if (la > WORD_MAX || lb > WORD_MAX)
        return (int)(la > lb ? la : lb); // no name is so long: all of it is wrong
    int rows[3][WORD_MAX + 1];
    for (size_t j = 0; j <= lb; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= la; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= lb; j++) {
            row[j] = min(above[j - 1] + !same(a[i - 1], b[j - 1]), 1 + min(above[j], row[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                row[j] = min(row[j], 1 + two_above[j - 2]);
        }
    }
    return rows[la % 3][lb];
}

// The length of what two names begin with in common and what is nobody's slip: whole parts with
// their dot, the dashes of an option.
static size_t shared_head(const char *a, const char *b) {
    size_t head = 0;
    for (size_t i = 0; a[i] && same(a[i], b[i]); i++)
        if (a[i] == '.' || (a[i] == '-' && head == i))
            head = i + 1;
    return head;
}

// How far the word is from the name: below 0 when it is the name cut off, the fewer letters are
// missing the nearer. More than half of it wrong is no typing slip: INT_MAX.
static int slip_distance(const char *word, const char *name) {
    size_t head = shared_head(word, name), length = strlen(word + head);
    if (length >= PREFIX_MIN && strncasecmp(word, name, head + length) == 0) {
        size_t missing = strlen(name + head) - length;
        return missing < WORD_MAX ? (int)missing - WORD_MAX : 0;
    }
    int distance = slips(word + head, name + head);
    return 2 * (size_t)distance > length ? INT_MAX : distance;
}

// The name nearest to the word; `by_part`: as far as its part after the last dot is concerned.
static const char *nearest(const char *word, const char *const *names, size_t count, bool by_part) {
    const char *best = NULL;
    int best_distance = INT_MAX;
    for (size_t i = 0; i < count; i++) {
        const char *dot = strrchr(names[i], '.');
        int distance = slip_distance(word, by_part && dot ? dot + 1 : names[i]);
        if (distance < best_distance) {
            best_distance = distance;
            best = names[i];
        }
    }
    return best;
}

const char *nearest_name(const char *word, const char *const *names, size_t count) {
    const char *best = nearest(word, names, count, false);
    return best ? best : nearest(word, names, count, true);
}

NearestHint nearest_hint(const char *word, const char *const *names, size_t count,
                         const char *otherwise) {
    NearestHint hint;
    const char *name = nearest_name(word, names, count);
    if (name)
        snprintf(hint.text, sizeof hint.text, ", nearest is '%.100s'", name);
    else
        snprintf(hint.text, sizeof hint.text, "%s", otherwise);
    return hint;
}

NearestHint nearest_choice_hint(const char *word, const char *choices) {
    char words[CHOICES_MAX][WORD_MAX];
    const char *names[CHOICES_MAX], *start;
    size_t count = 0, length;
    while (count < CHOICES_MAX && (length = text_choice_at(choices, (int)count, &start)) > 0) {
        snprintf(words[count], WORD_MAX, "%.*s", (int)length, start);
        names[count] = words[count];
        count++;
    }
    return nearest_hint(word, names, count, "");
}
