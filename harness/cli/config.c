// SPDX-License-Identifier: GPL-3.0-or-later
// Loading a player or an experiment: read, put together, judge, hand over.
#include "harness/cli/config.h"

#include "harness/cli/config_draft.h"

#include <stdlib.h>
#include <string.h>

static Status no_memory(ErrorText *err) {
    return error_set(err, STATUS_NO_MEMORY, "out of memory");
}

// --- players ---------------------------------------------------------------------------

static Status player_sets(ConfigSource *source, PlayerDraft *draft, const OptionList *sets,
                          ErrorText *err) {
    for (int i = 0; sets && i < sets->count; i++) {
        Setting setting;
        Status status = config_source_set(source, sets->items[i], sets->items[i], &setting, err);
        if (status)
            return status;
        status = player_draft_set(draft, &setting, err);
        // The draft remembers the place of a value, which belongs to the source, and not the key.
        free(setting.key);
        if (status)
            return status;
    }
    return STATUS_OK;
}

// Moves the finished player out of its draft. An external engine is told no depth that nobody asked
// for.
static void player_finish(PlayerDraft *draft, PlayerSpec *out) {
    if (draft->spec.external.command && !draft->knob_origin[KNOB_SEARCH_DEPTH].file)
        draft->spec.knobs.number[KNOB_SEARCH_DEPTH] = 0;
    // Moved: the draft must not free what the caller has now.
    *out = draft->spec;
    draft->spec = (PlayerSpec){0};
}

// What is wanted of a loading besides its result.
typedef struct LoadOptions {
    const OptionList *sets; // NULL: none
    ConfigListing *listing; // NULL: none
    bool warns;             // of what is set in vain: for files of people, not for stored texts
} LoadOptions;

static Status player_load(ConfigSource *source, const ConfigFile *file, const LoadOptions *options,
                          PlayerSpec *out, ErrorText *err) {
    PlayerDraft draft;
    Setting at = {NULL, file->yaml->root, file->yaml->root, file};
    Status status = player_draft_init(&draft, file->folder, err);
    if (status == STATUS_OK)
        status = player_draft_apply(source, file, file->yaml->root, &draft, err);
    if (status == STATUS_OK)
        status = player_sets(source, &draft, options->sets, err);
    if (status == STATUS_OK)
        status = player_draft_check(&draft, &at, err);
    if (status == STATUS_OK) {
        // After the check, as nothing in it depends on where the player comes from.
        draft.spec.source = strdup(file->yaml->path);
        status = draft.spec.source ? STATUS_OK : no_memory(err);
    }
    if (status == STATUS_OK && options->listing)
        player_draft_list(&draft, NULL, options->listing);
    // Last of all: a configuration that is refused gets its one line and no advice.
    if (status == STATUS_OK && options->warns)
        player_draft_warn(&draft, file);
    if (status == STATUS_OK)
        player_finish(&draft, out);
    player_draft_release(&draft);
    return status;
}

Status config_load_player(const char *path, const OptionList *sets, PlayerSpec *out,
                          ConfigListing *listing, ErrorText *err) {
    ConfigSource source = {0};
    ConfigFile *file;
    Status status = config_source_read(&source, path, &file, err);
    if (status == STATUS_OK)
        status = player_load(&source, file, &(LoadOptions){sets, listing, true}, out, err);
    config_source_release(&source);
    return status;
}

Status config_parse_player(const char *text, const char *path, PlayerSpec *out, ErrorText *err) {
    ConfigSource source = {0};
    ConfigFile *file;
    Status status = config_source_parse(&source, path, text, strlen(text), &file, err);
    if (status == STATUS_OK)
        status = player_load(&source, file, &(LoadOptions){0}, out, err);
    config_source_release(&source);
    return status;
}

// --- experiments -----------------------------------------------------------------------

// The text first, while drafts still hold where paths were written; moving the players out empties
// them.
static Status experiment_finish(ExperimentDraft *draft, Experiment *out, ErrorText *err) {
    Experiment *experiment = &draft->experiment;
    Text text = {0};
    experiment_draft_dump(draft, &text);
    experiment->text = text.failed ? NULL : strdup(text_cstr(&text));
    text_release(&text);
    experiment->players = calloc((size_t)draft->player_count, sizeof *experiment->players);
    if (!experiment->text || !experiment->players)
        return no_memory(err);
    for (int i = 0; i < draft->player_count; i++) {
        player_finish(&draft->players[i], &experiment->players[i]);
        // Counted before anything else can fail: the release frees what was moved so far.
        experiment->player_count++;
        experiment->players[i].source = strdup(draft->player_origin[i].file->yaml->path);
        if (!experiment->players[i].source)
            return no_memory(err);
    }
    *out = *experiment;
    *experiment = (Experiment){0};
    return STATUS_OK;
}

static Status experiment_load(ConfigSource *source, ConfigFile *file, const LoadOptions *options,
                              Experiment *out, ErrorText *err) {
    ExperimentDraft draft = {.source = source};
    Status status = experiment_draft_apply(&draft, file, options->sets, err);
    if (status == STATUS_OK)
        status = experiment_draft_players(&draft, options->sets, err);
    if (status == STATUS_OK)
        status = experiment_draft_check(&draft, err);
    if (status == STATUS_OK && options->listing)
        experiment_draft_list(&draft, options->listing);
    for (int i = 0; i < draft.player_count && status == STATUS_OK && options->warns; i++)
        player_draft_warn(&draft.players[i], file);
    if (status == STATUS_OK)
        status = experiment_finish(&draft, out, err);
    experiment_draft_release(&draft);
    return status;
}

Status config_load_experiment(const char *path, const OptionList *sets, Experiment *out,
                              ConfigListing *listing, ErrorText *err) {
    ConfigSource source = {0};
    ConfigFile *file;
    Status status = config_source_read(&source, path, &file, err);
    if (status == STATUS_OK)
        status = experiment_load(&source, file, &(LoadOptions){sets, listing, true}, out, err);
    config_source_release(&source);
    return status;
}

Status config_parse_experiment(const char *text, const char *path, Experiment *out,
                               ErrorText *err) {
    ConfigSource source = {0};
    ConfigFile *file;
    Status status = config_source_parse(&source, path, text, strlen(text), &file, err);
    if (status == STATUS_OK)
        status = experiment_load(&source, file, &(LoadOptions){0}, out, err);
    config_source_release(&source);
    return status;
}

// --- kinds -----------------------------------------------------------------------------

Status config_kind(const char *path, ConfigKind *out, ErrorText *err) {
    YamlFile *yaml;
    Status status = yaml_read(path, &yaml, err);
    if (status)
        return status;
    ConfigKind kind = CONFIG_KIND_PLAYER;
    ConfigKeyTable keys = config_experiment_keys();
    for (int i = 0; yaml->root->kind == YAML_MAP && i < yaml->root->count; i++) {
        const char *key = yaml->root->pairs[i].key->text;
        // A player has these two as well.
        bool is_shared = strcmp(key, "name") == 0 || strcmp(key, "base") == 0;
        if (!is_shared && config_key_find(keys, key) >= 0)
            kind = CONFIG_KIND_EXPERIMENT;
    }
    yaml_file_free(yaml);
    *out = kind;
    return STATUS_OK;
}
