// SPDX-License-Identifier: GPL-3.0-or-later
// Counting games: results by colour, by first mover, by opening, by reason; pairs as they complete.
#include "harness/report/summary.h"

#include "harness/report/player_family.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Status out_of_memory(ErrorText *err) {
    return error_set(err, STATUS_NO_MEMORY, "out of memory");
}

static char *string_copy(const char *string) { return strdup(string ? string : ""); }

// --- players
// --------------------------------------------------------------------------------------------------------

static void player_release(PlayerSummary *player) {
    free(player->name);
    free(player->given_name);
    free(player->short_name);
    free(player->config);
    free(player->family);
    free(player->minimax_family);
    free(player->depth);
}

const char *summary_short_name(const ReportSummary *summary, const char *name) {
    for (int i = 0; i < summary->player_count; i++)
        if (strcmp(summary->players[i].name, name) == 0)
            return summary->players[i].short_name;
    return name;
}

static bool name_is_taken(const ReportSummary *summary, const char *name) {
    for (int i = 0; i < summary->player_count; i++)
        if (strcmp(summary->players[i].name, name) == 0)
            return true;
    return false;
}

// The name that tells a new player from those that are there: as given, "name [label]", or "name
// [label 2]".
// Two databases may each have a "candidate" with other settings: counted apart, and named by where
// they come from.
static char *unique_name(const ReportSummary *summary, const PlayerRow *row) {
    if (!name_is_taken(summary, row->name))
        return string_copy(row->name);
    Text text = {0};
    for (int n = 1; n == 1 || name_is_taken(summary, text_cstr(&text)); n++) {
        text_clear(&text);
        if (n == 1)
            text_printf(&text, "%s [%s]", row->name, row->label);
        else
            text_printf(&text, "%s [%s %d]", row->name, row->label, n);
        if (text.failed)
            break;
    }
    char *name = text.failed ? NULL : string_copy(text_cstr(&text));
    text_release(&text);
    return name;
}

static Status players_grow(ReportSummary *summary, ErrorText *err) {
    if (summary->player_count < summary->player_cap)
        return STATUS_OK;
    int cap = summary->player_cap ? summary->player_cap * 2 : 8;
    PlayerSummary *players = realloc(summary->players, (size_t)cap * sizeof *players);
    if (!players)
        return out_of_memory(err);
    summary->players = players;
    summary->player_cap = cap;
    return STATUS_OK;
}

// The name as given decides who is who, not the unique one: that was made here.
Status summary_add_player(ReportSummary *summary, const PlayerRow *row, int *index,
                          ErrorText *err) {
    const char *config = row->config ? row->config : "";
    for (int i = 0; i < summary->player_count; i++)
        if (strcmp(summary->players[i].given_name, row->name) == 0 &&
            strcmp(summary->players[i].config, config) == 0) {
            *index = i;
            return STATUS_OK;
        }
    PlayerFamily family;
    player_family_read(config, &family);
    PlayerSummary player = {
        .name = unique_name(summary, row),
        .given_name = string_copy(row->name),
        .config = string_copy(config),
        .family = string_copy(text_cstr(&family.ladder)),
        .minimax_family = string_copy(text_cstr(&family.minimax)),
        .is_minimax = family.is_minimax,
    };
    player_family_release(&family);
    bool is_whole =
        player.name && player.given_name && player.config && player.family && player.minimax_family;
    Status status = is_whole ? players_grow(summary, err) : out_of_memory(err);
    if (status) {
        player_release(&player);
        return status;
    }
    *index = summary->player_count;
    summary->players[summary->player_count++] = player;
    return STATUS_OK;
}

// --- openings
// -------------------------------------------------------------------------------------------------------

// Multiplied and folded (the constants of splitmix64), since openings are numbered in a row and
// their low bits alone would cluster.
static size_t opening_hash_of(int source, int64_t opening) {
    uint64_t h = ((uint64_t)opening * UINT64_C(0x9e3779b97f4a7c15)) ^ ((uint64_t)source << 32);
    h ^= h >> 29;
    return (size_t)(h * UINT64_C(0xbf58476d1ce4e5b9) >> 16);
}

static void opening_hash_insert(int *table, int cap, const OpeningSummary *openings, int index) {
    size_t at =
        opening_hash_of(openings[index].source, openings[index].opening) & (size_t)(cap - 1);
    while (table[at])
        at = (at + 1) & (size_t)(cap - 1);
    table[at] = index + 1;
}

static bool openings_grow(ReportSummary *summary) {
    int cap = summary->opening_cap ? summary->opening_cap * 2 : 64;
    OpeningSummary *openings = realloc(summary->openings, (size_t)cap * sizeof *openings);
    if (!openings)
        return false;
    summary->openings = openings;
    int *table = calloc((size_t)cap * 2, sizeof *table);
    if (!table)
        return false;
    for (int i = 0; i < summary->opening_count; i++)
        opening_hash_insert(table, cap * 2, openings, i);
    free(summary->opening_hash);
    summary->opening_hash = table;
    summary->opening_hash_cap = cap * 2;
    summary->opening_cap = cap;
    return true;
}

static OpeningSummary *opening_find(const ReportSummary *summary, int source, int64_t opening,
                                    size_t *at) {
    size_t mask = (size_t)(summary->opening_hash_cap - 1);
    *at = opening_hash_of(source, opening) & mask;
    for (; summary->opening_hash[*at]; *at = (*at + 1) & mask) {
        OpeningSummary *entry = &summary->openings[summary->opening_hash[*at] - 1];
        if (entry->source == source && entry->opening == opening)
            return entry;
    }
    return NULL;
}

// The opening's entry, made when it is new; NULL when memory is out.
static OpeningSummary *opening_entry(ReportSummary *summary, int source, int64_t opening) {
    if (summary->opening_count == summary->opening_cap && !openings_grow(summary))
        return NULL;
    size_t at;
    if (summary->opening_count > 0) { // games of one opening follow each other
        OpeningSummary *last = &summary->openings[summary->opening_count - 1];
        if (last->source == source && last->opening == opening)
            return last;
    }
    OpeningSummary *entry = opening_find(summary, source, opening, &at);
    if (entry)
        return entry;
    summary->openings[summary->opening_count] =
        (OpeningSummary){.source = source, .opening = opening};
    summary->opening_hash[at] = ++summary->opening_count;
    return &summary->openings[summary->opening_count - 1];
}

// Only openings that were played; of shards the first one says the moves.
Status summary_add_opening(ReportSummary *summary, int source, const StoreOpening *opening,
                           ErrorText *err) {
    size_t at;
    OpeningSummary *entry =
        summary->opening_count ? opening_find(summary, source, opening->opening, &at) : NULL;
    if (!entry || entry->moves)
        return STATUS_OK;
    entry->moves = string_copy(opening->moves);
    return entry->moves ? STATUS_OK : out_of_memory(err);
}

// --- games
// ----------------------------------------------------------------------------------------------------------

// Points of black in half points: 0, 1 or 2.
static int black_half_points(char result) { return result == 'B' ? 2 : result == 'D' ? 1 : 0; }

static void wdl_add(WdlCounts *counts, int half_points) {
    if (half_points == 2)
        counts->wins++;
    else if (half_points == 1)
        counts->draws++;
    else
        counts->losses++;
}

// A game whose twin is not there.
static void single_add(ReportSummary *summary, const StoreGame *game) {
    int points = black_half_points(game->result);
    wdl_add(&summary->players[game->black].single, points);
    wdl_add(&summary->players[game->white].single, 2 - points);
    if (game->black != game->white) {
        // Made when the game was counted, so it is there.
        PairingSummary *mine = pairing_map_at(&summary->pairings, game->black, game->white);
        wdl_add(&mine->single, points);
        wdl_add(&pairing_map_opposite(&summary->pairings, mine)->single, 2 - points);
    }
}

// By what they are and not by their number alone: imported games may carry numbers that mean
// nothing.
static bool games_are_pair(const StoreGame *a, const StoreGame *b) {
    return a->pair >= 0 && a->pair == b->pair && a->opening == b->opening && a->black == b->white &&
           a->white == b->black && a->black != a->white;
}

// Two games of one opening; `theirs` is the pairing seen from b's black player.
static void pair_add(ReportSummary *summary, const StoreGame *a, const StoreGame *b,
                     PairingSummary *theirs) {
    // a and b are seen from the player who had black in a.
    int points_a = black_half_points(a->result),
        points_b = 2 - black_half_points(b->result); // of a's black player
    PairClass mine = pair_class_from_half_points(points_a, points_b);
    PairClass other = pair_class_from_half_points(2 - points_a, 2 - points_b);
    summary->players[a->black].pairs.n[mine]++;
    summary->players[a->white].pairs.n[other]++;
    PairingSummary *ours = pairing_map_opposite(&summary->pairings, theirs);
    ours->pairs.n[mine]++;
    theirs->pairs.n[other]++;
    bool black_is_first = a->first == BLACK; // of both games: it is one opening
    // With an odd opening white moves first: colours and first moves are two different things.
    int moving_first = black_is_first ? points_a : points_b,
        moving_second = black_is_first ? points_b : points_a;
    ours->pair_points[moving_first][moving_second]++;
    theirs->pair_points[2 - moving_second][2 - moving_first]++;
    summary->pairs++;
    OpeningSummary *entry =
        opening_entry(summary, summary->pending_source, a->opening); // exists: the games made it
    if (entry) {
        entry->pairs++;
        // Swept: the side moving first won both games, whoever it was.
        if (points_a == (black_is_first ? 2 : 0) && points_b == (black_is_first ? 0 : 2))
            entry->swept++;
    }
}

// Counts the game as one of a pair, now or when its twin comes.
// One game waits at most: games come in the order of slots, and twins have neighbouring slots.
static void pairing_take(ReportSummary *summary, int source, const StoreGame *game,
                         PairingSummary *mine) {
    if (summary->has_pending && summary->pending_source == source &&
        games_are_pair(&summary->pending, game)) {
        pair_add(summary, &summary->pending, game, mine);
        summary->has_pending = false;
        return;
    }
    summary_end_source(summary);
    summary->pending = *game;
    summary->pending_source = source;
    summary->has_pending = true;
}

// Every count is made twice, from both players' sides, so that readers never turn a table round.
Status summary_add_game(ReportSummary *summary, int source, const StoreGame *game, ErrorText *err) {
    OpeningSummary *opening = opening_entry(summary, source, game->opening);
    PairingSummary *mine = pairing_map_at(&summary->pairings, game->black, game->white);
    if (!opening || !mine)
        return out_of_memory(err);
    int points = black_half_points(game->result);
    bool black_is_first = game->first == BLACK;
    int first_points = black_is_first ? points : 2 - points;
    PlayerSummary *black = &summary->players[game->black], *white = &summary->players[game->white];
    wdl_add(&black->as_black, points);
    wdl_add(&white->as_white, 2 - points);
    wdl_add(black_is_first ? &black->first : &black->second, points);
    wdl_add(black_is_first ? &white->second : &white->first, 2 - points);
    if (points == 2) {
        black->won_by[game->reason]++;
        white->lost_by[game->reason]++;
    } else if (points == 0) {
        white->won_by[game->reason]++;
        black->lost_by[game->reason]++;
    }
    if (game->black != game->white) {
        PairingSummary *other = pairing_map_opposite(&summary->pairings, mine);
        wdl_add(&mine->as_black, points);
        wdl_add(&other->as_white, 2 - points);
        wdl_add(black_is_first ? &mine->first : &other->first, first_points);
    }
    wdl_add(&opening->black, points);
    wdl_add(&opening->first, first_points);
    opening->first_mover = game->first;
    opening->plies += game->plies;
    wdl_add(&summary->black, points);
    wdl_add(&summary->first, first_points);
    summary->results_by_reason[game->reason][points == 2 ? 0 : points == 0 ? 1 : 2]++;
    summary->games++;
    summary->plies += game->plies;
    summary->wall_us += game->wall_us;
    pairing_take(summary, source, game, mine);
    return STATUS_OK;
}

// A game that still waits now will never meet its twin.
void summary_end_source(ReportSummary *summary) {
    if (summary->has_pending)
        single_add(summary, &summary->pending);
    summary->has_pending = false;
}

const PairingSummary *summary_pairing(const ReportSummary *summary, int row, int column) {
    return pairing_map_find(&summary->pairings, row, column);
}

double wdl_share(WdlCounts counts) {
    int64_t games = wdl_counts_total(&counts);
    return games > 0 ? ((double)counts.wins + 0.5 * (double)counts.draws) / (double)games : NAN;
}

double wdl_percent(WdlCounts counts) {
    int64_t games = wdl_counts_total(&counts);
    return games ? (100.0 * (double)counts.wins + 50.0 * (double)counts.draws) / (double)games
                 : NAN;
}

WdlCounts wdl_counts_sum(WdlCounts a, WdlCounts b) {
    return (WdlCounts){a.wins + b.wins, a.draws + b.draws, a.losses + b.losses};
}

int64_t player_games(const PlayerSummary *player) {
    return wdl_counts_total(&player->as_black) + wdl_counts_total(&player->as_white);
}

void summary_release(ReportSummary *summary) {
    for (int i = 0; i < summary->player_count; i++)
        player_release(&summary->players[i]);
    for (int i = 0; i < summary->opening_count; i++)
        free(summary->openings[i].moves);
    free(summary->players);
    pairing_map_release(&summary->pairings);
    free(summary->openings);
    free(summary->opening_hash);
    memset(summary, 0, sizeof *summary);
}
