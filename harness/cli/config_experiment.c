// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of an experiment: one table, and how the special ones are read.
#include "engine/base/check.h"
#include "harness/cli/config_draft.h"
#include "harness/cli/file_path.h"
#include "harness/play/affinity.h"
#include "harness/stats/sprt.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// As a double, like all bounds of rows.
#define DAY_MS 86400000.0

#define KEY_OWNER Experiment
static const ConfigKey KEYS[] = {
#include "harness/cli/experiment_keys.def"
};
_Static_assert(ARRAY_LEN(KEYS) <= EXPERIMENT_KEY_MAX, "more keys than a draft remembers");

ConfigKeyTable config_experiment_keys(void) {
    return (ConfigKeyTable){KEYS, ARRAY_LEN(KEYS), "--experiment"};
}

static Status no_memory(ErrorText *err) {
    return error_set(err, STATUS_NO_MEMORY, "out of memory");
}

void experiment_draft_release(ExperimentDraft *draft) {
    for (int i = 0; i < draft->player_count; i++)
        player_draft_release(&draft->players[i]);
    free(draft->players);
    free(draft->player_origin);
    free(draft->root_folder);
    experiment_release(&draft->experiment);
    *draft = (ExperimentDraft){0};
}

// --- special keys ----------------------------------------------------------------------

// "15" or "15x12"; a map was opened before and comes as board.width and board.height.
static Status set_board(ExperimentDraft *draft, const Setting *setting, ErrorText *err) {
    const char *text;
    const char *expected = KEYS[EXPERIMENT_BOARD].choices;
    int64_t width, height;
    Status status = setting_text(setting, expected, &text, err);
    if (status)
        return status;
    size_t digits = strspn(text, "0123456789");
    char first[8] = {0};
    memcpy(first, text, digits < sizeof first ? digits : 0);
    // One number is both sides: it is then read twice.
    const char *second = text[digits] == 'x' || text[digits] == 'X' ? text + digits + 1 : text;
    if (!text_parse_int(first, BOARD_MIN_SIDE, BOARD_MAX_SIDE, &width) ||
        !text_parse_int(second, BOARD_MIN_SIDE, BOARD_MAX_SIDE, &height))
        return setting_error(setting, err, STATUS_INVALID, "board: '%.60s', expected %s", text,
                             expected);
    draft->experiment.width = (int)width;
    draft->experiment.height = (int)height;
    return STATUS_OK;
}

static Status set_openings_file(ExperimentDraft *draft, const Setting *setting, ErrorText *err) {
    const char *text;
    Status status = setting_text(setting, "the path of a file", &text, err);
    if (status)
        return status;
    if (!text[0])
        return setting_error(setting, err, STATUS_INVALID,
                             "openings.file: '', expected the path of a file");
    OpeningSpec *openings = &draft->experiment.openings;
    char *file = path_join(setting->file->folder, text);
    // `file` is what is opened, `written` what is stored, which must read back from the root folder
    // and not from that of a base.
    char *written =
        !file || text[0] == '/' ? strdup(text) : path_relative(draft->root_folder, file);
    if (!file || !written) {
        free(file);
        free(written);
        return no_memory(err);
    }
    free(openings->file);
    free(openings->file_text);
    openings->file = file;
    openings->file_text = written;
    return STATUS_OK;
}

static Status set_openings(ExperimentDraft *draft, const Setting *setting, ErrorText *err) {
    OpeningSpec *openings = &draft->experiment.openings;
    // Maps with keys were flattened: only an empty one arrives here.
    bool is_empty = setting->value->kind == YAML_MAP || yaml_is_null(setting->value);
    if (!is_empty)
        return set_openings_file(draft, setting, err);
    free(openings->file); // `openings: {}` takes the base's openings away
    free(openings->file_text);
    openings->file = openings->file_text = NULL;
    openings->random_plies = 0;
    return STATUS_OK;
}

static Status set_pairs(ExperimentDraft *draft, const Setting *setting, ErrorText *err) {
    const char *text;
    const char *expected = KEYS[EXPERIMENT_PAIRS].choices;
    Status status = setting_text(setting, expected, &text, err);
    if (status)
        return status;
    // Set in both ways: a number in a file takes back the until-sprt of its base.
    draft->experiment.pairs_until_sprt = strcmp(text, "until-sprt") == 0;
    if (draft->experiment.pairs_until_sprt ||
        text_parse_int(text, 1, 1000000000, &draft->experiment.pairs))
        return STATUS_OK;
    return setting_error(setting, err, STATUS_INVALID, "pairs: '%.60s', expected %s", text,
                         expected);
}

// `sprt: {}` is a test with the defaults, `sprt: none` takes the base's test away.
static Status set_sprt(ExperimentDraft *draft, const Setting *setting, ErrorText *err) {
    char buffer[80];
    const YamlNode *value = setting->value;
    bool is_none =
        yaml_is_null(value) || (value->kind == YAML_SCALAR && strcmp(value->text, "none") == 0);
    if (!is_none && value->kind != YAML_MAP)
        return setting_error(setting, err, STATUS_INVALID, "sprt: %s, expected %s",
                             yaml_describe(value, buffer, sizeof buffer),
                             KEYS[EXPERIMENT_SPRT].choices);
    draft->experiment.sprt.enabled = !is_none;
    return STATUS_OK;
}

static Status set_list(const Setting *setting, YamlKind kind, const char *expected,
                       ErrorText *err) {
    char buffer[80];
    if (setting->value->kind == kind)
        return STATUS_OK;
    return setting_error(setting, err, STATUS_INVALID, "%s: %s, expected %s", setting->key,
                         yaml_describe(setting->value, buffer, sizeof buffer), expected);
}

// A word as affinity_parse reads it, or a list of cores.
static Status set_affinity(ExperimentDraft *draft, const Setting *setting, ErrorText *err) {
    const YamlNode *value = setting->value;
    ErrorText why = {0};
    Text text = {0};
    for (int i = 0; value->kind == YAML_LIST && i < value->count; i++)
        text_printf(&text, "%s%s", i ? "," : "",
                    value->items[i]->text ? value->items[i]->text : "");
    if (value->kind == YAML_SCALAR)
        text_append(&text, value->text);
    Status status = affinity_parse(text_cstr(&text), &draft->experiment.affinity, &why);
    text_release(&text);
    return status ? setting_error(setting, err, status, "affinity: %s", why.text) : STATUS_OK;
}

static Status set_special(ExperimentDraft *draft, int row, const Setting *setting, ErrorText *err) {
    switch (row) {
    case EXPERIMENT_BOARD:
        return set_board(draft, setting, err);
    case EXPERIMENT_OPENINGS:
        return set_openings(draft, setting, err);
    case EXPERIMENT_OPENINGS_FILE:
        return set_openings_file(draft, setting, err);
    case EXPERIMENT_PAIRS:
        return set_pairs(draft, setting, err);
    case EXPERIMENT_SPRT:
        return set_sprt(draft, setting, err);
    case EXPERIMENT_AFFINITY:
        return set_affinity(draft, setting, err);
    case EXPERIMENT_PLAYERS:
        return set_list(setting, YAML_LIST, KEYS[row].choices, err);
    case EXPERIMENT_SWEEP:
        return yaml_is_null(setting->value) ? STATUS_OK
                                            : set_list(setting, YAML_MAP, KEYS[row].choices, err);
    default:
        return setting_key_error(setting, err, "%s: only in a file",
                                 setting->key); // base, directory by --set
    }
}

// One key may settle what another row is asked about: `board` both sides, `openings` its file; and
// openings from a file take the place of random ones of a base, and the other way round (in one
// file both are refused later).
static void remember(ExperimentDraft *draft, int row, const Setting *setting) {
    OpeningSpec *openings = &draft->experiment.openings;
    setting_remember(setting, &draft->origin[row]);
    if (row == EXPERIMENT_BOARD) {
        setting_remember(setting,
                         &draft->origin[config_key_find(config_experiment_keys(), "board.width")]);
        setting_remember(setting,
                         &draft->origin[config_key_find(config_experiment_keys(), "board.height")]);
    }
    if (row == EXPERIMENT_OPENINGS)
        setting_remember(setting, &draft->origin[EXPERIMENT_OPENINGS_FILE]);
    Setting *random = &draft->origin[config_key_find(config_experiment_keys(), "openings.random")];
    Setting *file = &draft->origin[EXPERIMENT_OPENINGS_FILE];
    bool is_file = row == EXPERIMENT_OPENINGS || row == EXPERIMENT_OPENINGS_FILE;
    // Only across files: within one, both are said by the same author and the contradiction is
    // told.
    if (is_file && random->file && random->file != setting->file) {
        openings->random_plies = 0;
        *random = (Setting){0};
    }
    if (&draft->origin[row] == random && openings->random_plies > 0 && file->file &&
        file->file != setting->file) {
        free(openings->file);
        free(openings->file_text);
        openings->file = openings->file_text = NULL;
        *file = (Setting){0};
    }
}

static Status draft_set(ExperimentDraft *draft, const Setting *setting, ErrorText *err) {
    char buffer[80];
    int row = config_key_find(config_experiment_keys(), setting->key);
    if (row < 0 && config_key_is_group(config_experiment_keys(), setting->key)) {
        // An empty group says nothing, and is not worth a refusal.
        if (setting->value->kind == YAML_MAP)
            return STATUS_OK;
        return setting_error(setting, err, STATUS_INVALID, "%s: %s, expected a map of %s.* keys",
                             setting->key, yaml_describe(setting->value, buffer, sizeof buffer),
                             setting->key);
    }
    // A mistake that is easily made, and that "unknown key" would not explain.
    if (row < 0 && player_key_is_known(setting->key))
        return setting_key_error(setting, err,
                                 "%s is a key of a player: give it inside 'players' or 'sweep'",
                                 setting->key);
    if (row < 0)
        return config_key_unknown(config_experiment_keys(), (ConfigKeyTable){0}, setting, err);
    Status status = KEYS[row].type == CONFIG_SPECIAL
                        ? set_special(draft, row, setting, err)
                        : config_key_set(&KEYS[row], setting, &draft->experiment, err);
    if (status)
        return status;
    // Any of its keys asks for the test; `sprt: none` in a file takes away that of its base.
    if (strncmp(setting->key, "sprt.", 5) == 0)
        draft->experiment.sprt.enabled = true;
    remember(draft, row, setting);
    return STATUS_OK;
}

// --- files -----------------------------------------------------------------------------

// On the stack of the calls that read bases: a file is in its own chain while it is read, not
// afterwards, so that two branches may share a base.
typedef struct Chain {
    const ConfigFile *file;
    const struct Chain *outer;
} Chain;

static Status apply_file(ExperimentDraft *draft, ConfigFile *file, const Chain *outer,
                         ErrorText *err);

static Status apply_base(ExperimentDraft *draft, const Setting *base, const Chain *chain,
                         ErrorText *err) {
    const char *text;
    ErrorText why = {0};
    Status status = setting_text(base, KEYS[EXPERIMENT_BASE].choices, &text, err);
    if (status)
        return status;
    if (!text[0])
        return setting_error(base, err, STATUS_INVALID,
                             "base: '', expected the path of an experiment");
    char *path = path_join(base->file->folder, text);
    ConfigFile *file = NULL;
    status = path ? config_source_read(draft->source, path, &file, &why) : no_memory(&why);
    free(path);
    if (status == STATUS_NOT_FOUND)
        return setting_error(base, err, status, "base '%s': %s", text, why.text);
    if (status)
        return error_set(err, status, "%s", why.text);
    // Compared by pointer: the source reads each file once.
    for (const Chain *link = chain; link; link = link->outer)
        if (link->file == file)
            return setting_error(base, err, STATUS_INVALID,
                                 "base '%s' leads back to %s: a cycle of bases", text,
                                 file->yaml->path);
    return apply_file(draft, file, chain, err);
}

static Status apply_directory(ExperimentDraft *draft, const Setting *directory, ConfigFile *file,
                              bool is_root, ErrorText *err) {
    const char *text;
    Status status = setting_text(directory, "a folder", &text, err);
    if (status)
        return status;
    char *folder = path_join(file->folder, text);
    char *copy = folder ? strdup(folder) : NULL;
    if (!copy) {
        free(folder);
        return no_memory(err);
    }
    free(file->folder);
    file->folder = folder;
    // Of bases it says only how their own paths are read.
    if (is_root) {
        free(draft->root_folder);
        draft->root_folder = copy;
    } else {
        free(copy);
    }
    return STATUS_OK;
}

// The base first, so that the file's own keys come over it; `directory` before both, since the path
// of the base is relative to it like any other of this file.
static Status apply_file(ExperimentDraft *draft, ConfigFile *file, const Chain *outer,
                         ErrorText *err) {
    // Below these two stand keys of players, which may be called like ours.
    static const char *const WHOLE[] = {"players", "sweep", NULL};
    Chain chain = {file, outer};
    SettingList list = {0};
    Status status = settings_flatten(file, file->yaml->root, WHOLE, &list, err);
    const Setting *base = settings_find(&list, "base");
    const Setting *directory = settings_find(&list, "directory");
    if (status == STATUS_OK && directory)
        status = apply_directory(draft, directory, file, outer == NULL, err);
    if (status == STATUS_OK && base)
        status = apply_base(draft, base, &chain, err);
    for (int i = 0; i < list.count && status == STATUS_OK; i++)
        if (&list.items[i] != base && &list.items[i] != directory)
            status = draft_set(draft, &list.items[i], err);
    settings_release(&list);
    return status;
}

Status experiment_draft_apply(ExperimentDraft *draft, ConfigFile *file, const OptionList *sets,
                              ErrorText *err) {
    draft->root = (Setting){NULL, file->yaml->root, file->yaml->root, file};
    draft->root_folder = strdup(file->folder);
    draft->experiment.path = strdup(file->yaml->path);
    // The row is special, so that its default is not set with the others.
    draft->experiment.pairs = 1;
    if (!draft->root_folder || !draft->experiment.path)
        return no_memory(err);
    Status status = config_keys_default(config_experiment_keys(), &draft->experiment, err);
    // Its name, if it gives none, is that of the file.
    if (status == STATUS_OK && !(draft->experiment.name = path_stem(file->yaml->path)))
        status = no_memory(err);
    if (status == STATUS_OK)
        status = apply_file(draft, file, NULL, err);
    for (int i = 0; sets && i < sets->count && status == STATUS_OK; i++) {
        char key[64] = {0};
        size_t length = strcspn(sets->items[i], "=");
        memcpy(key, sets->items[i], length < sizeof key ? length : 0);
        // Told apart by the key alone: no key of an experiment is a knob as well.
        if (config_key_find(config_experiment_keys(), key) < 0)
            continue; // a player's key
        Setting setting = {0};
        status = config_source_set(draft->source, sets->items[i], sets->items[i], &setting, err);
        if (status == STATUS_OK)
            status = draft_set(draft, &setting, err);
        free(setting.key);
    }
    return status;
}

// The name becomes that of a file: results/NAME.db.
static Status check_name(const ExperimentDraft *draft, ErrorText *err) {
    enum { NAME_MAX_BYTES = 100 };
    const Setting *at = &draft->origin[EXPERIMENT_NAME];
    const char *name = draft->experiment.name;
    bool is_file_name = name[0] && name[0] != '.' && strlen(name) <= NAME_MAX_BYTES;
    for (const unsigned char *c = (const unsigned char *)name; *c; c++)
        is_file_name &= *c >= 32 && *c != 127 && *c != '/';
    if (is_file_name)
        return STATUS_OK;
    return setting_error(at->file ? at : &draft->root, err, STATUS_INVALID,
                         "name: '%.60s', expected a file name: 1..%d printable characters, no '/', "
                         "no '.' in front",
                         name, NAME_MAX_BYTES);
}

// --- the whole -------------------------------------------------------------------------

static Status check_openings(const ExperimentDraft *draft, ErrorText *err) {
    const OpeningSpec *openings = &draft->experiment.openings;
    int random_row = config_key_find(config_experiment_keys(), "openings.random");
    if (openings->file && openings->random_plies > 0)
        return setting_key_error(
            &draft->origin[random_row], err,
            "openings.random and openings.file together, expected one of them");
    int cells = draft->experiment.width * draft->experiment.height;
    if (openings->random_plies >= cells)
        return setting_error(&draft->origin[random_row], err, STATUS_INVALID,
                             "openings.random: %d plies fill the board of %d cells",
                             openings->random_plies, cells);
    // The file is read much later, by the plan; here its line in the configuration is still known.
    if (openings->file && access(openings->file, R_OK))
        return setting_error(&draft->origin[EXPERIMENT_OPENINGS_FILE], err, STATUS_NOT_FOUND,
                             "openings %s: %s", openings->file, strerror(errno));
    return STATUS_OK;
}

static Status check_sprt(const ExperimentDraft *draft, ErrorText *err) {
    const SprtSpec *sprt = &draft->experiment.sprt;
    int row = config_key_find(config_experiment_keys(), "sprt.elo1");
    // elo1 is the key that people set; where it is the default, the file as a whole is to blame.
    const Setting *at = draft->origin[row].file ? &draft->origin[row] : &draft->root;
    if (sprt->elo0 >= sprt->elo1)
        return setting_error(at, err, STATUS_INVALID,
                             "sprt: elo0 %g and elo1 %g, expected elo0 < elo1", sprt->elo0,
                             sprt->elo1);
    SprtModel model = sprt->normalized ? SPRT_NORMALIZED : SPRT_LOGISTIC;
    double limit = sprt_elo_limit(model, SCORE_CELL_MAX); // tests of runs are of pairs
    if (fabs(sprt->elo0) >= limit || fabs(sprt->elo1) >= limit)
        return setting_error(at, err, STATUS_INVALID,
                             "sprt: elo0 %g and elo1 %g: in %s Elo such a test would never end, "
                             "expected both within +-%.0f",
                             sprt->elo0, sprt->elo1, sprt_model_name(model), floor(limit));
    if (draft->player_count != 2)
        return setting_error(at, err, STATUS_INVALID, "sprt: %d players, expected two",
                             draft->player_count);
    return STATUS_OK;
}

// What is added to a clock that nobody runs would be lost without a word, and the games unlimited.
static Status check_clock(const ExperimentDraft *draft, ErrorText *err) {
    const ClockSpec *clock = &draft->experiment.clock;
    int row = config_key_find(config_experiment_keys(), "clock.increment_ms");
    if (clock->increment_ms == 0 || clock->match_ms > 0)
        return STATUS_OK;
    return setting_error(&draft->origin[row], err, STATUS_INVALID,
                         "clock.increment_ms: %lld has no effect without clock.match_ms",
                         (long long)clock->increment_ms);
}

// The line must fit on the board, and the protocol of programs knows no other line than five.
static Status check_line(const ExperimentDraft *draft, ErrorText *err) {
    const Experiment *experiment = &draft->experiment;
    int longest = experiment->width > experiment->height ? experiment->width : experiment->height;
    int row = config_key_find(config_experiment_keys(), "in_a_row");
    const Setting *at = draft->origin[row].file ? &draft->origin[row] : &draft->root;
    if (experiment->k > longest)
        return setting_error(at, err, STATUS_INVALID, "in_a_row: %d do not fit on the %dx%d board",
                             experiment->k, experiment->width, experiment->height);
    for (int i = 0; i < draft->player_count && experiment->k != 5; i++)
        if (draft->players[i].spec.external.command)
            return setting_error(at, err, STATUS_INVALID,
                                 "in_a_row: %d, but player '%s' is a program: expected 5",
                                 experiment->k, draft->players[i].spec.name);
    return STATUS_OK;
}

// What no single key can be blamed for; needs the players.
Status experiment_draft_check(ExperimentDraft *draft, ErrorText *err) {
    Experiment *experiment = &draft->experiment;
    const Setting *players =
        draft->origin[EXPERIMENT_PLAYERS].file ? &draft->origin[EXPERIMENT_PLAYERS] : &draft->root;
    if (draft->player_count < 2)
        return setting_error(players, err, STATUS_INVALID,
                             "%d player%s, expected at least two (players, sweep)",
                             draft->player_count, draft->player_count == 1 ? "" : "s");
    if (experiment->schedule == SCHEDULE_GAUNTLET &&
        experiment->gauntlet_heads >= draft->player_count)
        return setting_error(players, err, STATUS_INVALID,
                             "gauntlet_heads: %d of %d players leave no opponent",
                             experiment->gauntlet_heads, draft->player_count);
    Status status = check_name(draft, err);
    if (status == STATUS_OK)
        status = check_line(draft, err);
    if (status == STATUS_OK)
        status = check_clock(draft, err);
    if (status == STATUS_OK)
        status = check_openings(draft, err);
    if (status == STATUS_OK && experiment->sprt.enabled) {
        status = check_sprt(draft, err);
        // A test says itself when it is over; pairs, if given, is then an upper bound.
        if (!draft->origin[EXPERIMENT_PAIRS].file)
            experiment->pairs_until_sprt = true;
    } else if (status == STATUS_OK && experiment->pairs_until_sprt) {
        status = setting_error(&draft->origin[EXPERIMENT_PAIRS], err, STATUS_INVALID,
                               "pairs: until-sprt without a test, expected an 'sprt' block");
    }
    return status;
}
