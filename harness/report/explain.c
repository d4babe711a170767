// SPDX-License-Identifier: GPL-3.0-or-later
// Plain sentences about the numbers of reports.
#include "harness/report/explain.h"

#include "engine/base/check.h"

#include <stddef.h>
#include <string.h>

typedef struct Explanation {
    const char *key, *text;
} Explanation;

// What a number is, and what it is not: most misreadings of match results are among the latter.
// Keys are those of the statistics; a sentence says what it is, the next what it is not.
static const Explanation EXPLANATIONS[] = {
    {"score",
     "Points per game: a win is 1, a draw 1/2. It depends on the opponents, so scores against "
     "different fields cannot be compared."},
    {"elo",
     "The difference in strength that would give this score: +100 is 64 %, +200 is 76 %. It is "
     "not a property of one player, and biased openings make it look smaller than it is."},
    {"interval",
     "The true difference lies inside in 95 of 100 such matches. Where it holds 0, the match "
     "has not shown who is stronger. It says nothing about other openings, times or opponents."},
    {"nelo",
     "Elo measured in units of how much a game varies, so that openings and draws do not change "
     "how long a match it takes to see it. It is not comparable with ordinary Elo when draws are "
     "common."},
    {"los",
     "How likely the first player is the stronger one, given these results alone. It is not the "
     "chance to win a game, and not a rule for when to stop playing."},
    {"games", "Games counted. Games of a pair that is not complete wait for their twin."},
    {"pairs",
     "Openings played twice with colours swapped. The two games share an opening, so a pair, not "
     "a game, is one observation."},
    {"classes",
     "Pairs by their two results. WL means the same side of the opening won both games: it says "
     "that the opening decided, not that the players are equal. WW and LL are what tells them "
     "apart."},
    {"error_ratio",
     "How much wider the error would be if games were taken as independent. Above 1, playing "
     "pairs earned its keep; it is not an error of the result."},
    {"opening_free_elo",
     "Strength from pairs won twice by one side: 200 log10(WW/LL). The openings' bias "
     "cancels, so it is the scale to quote; it is less certain than Elo and useless with few such "
     "pairs."},
    {"bias_elo",
     "How uneven the openings were, as the Elo lead of the favoured side (root mean square). Up "
     "to about 100 costs little; at 300 half of a difference in strength disappears from the "
     "score."},
    {"llr",
     "Evidence for elo1 against elo0, as the logarithm of a likelihood ratio. The test ends when "
     "it "
     "leaves the bounds; until then it is no result, and its size is no measure of strength."},
    {"state", "H1: as if the difference were elo1, not elo0. H0: the other way. A test errs as "
              "often as alpha "
              "and beta say; accepting H0 does not show that there is no difference."},
    {"sprt_elo",
     "Estimate that allows for stopping when the evidence was strong: too high as often as too "
     "low. The plain Elo of a stopped test is too far from the middle."},
    {"first_move_advantage",
     "What moving first after the opening is worth, in Elo, with these players, board and "
     "openings. It is not Black's advantage from the empty board."},
    {"rating_se",
     "One standard error of the rating, against what the heading names. The error of a difference "
     "of two ratings is another one: see the matrix of superiority."},
    {"bound",
     "> or <: nobody on the other side took (or lost) a point, so no rating exists, only a limit."},
    {"group",
     "Players of one group took points from each other, directly or round a circle. Ratings "
     "compare "
     "inside a group; between groups only the order is known, and between tables not even that."},
    {"first_move_share",
     "Points that the first mover after the opening made, of all. Even is 50 %; it is about "
     "the openings as much as about the game."},
    {"timeouts", "Games lost on time. They are losses in every number above, but say little about "
                 "playing strength."},
    {"crashes", "Games lost because the program ended or broke the rules. They are losses in every "
                "number above."},
    {"nodes", "Entries of the search function for a move. Programs count differently, so compare "
              "one program "
              "with itself."},
    {"cutoffs_per_node",
     "Loops over moves that ended early, per entry of the search function. It is a share of "
     "nodes visited, not of the tree saved."},
    {"cutoffs_per_interior",
     "Loops over moves that ended early, of all such loops. Near one half is what good "
     "alpha-beta does: every other level must look at all moves."},
    {"node_saving",
     "1 - nodes / nodes of plain minimax at the same depth: the part of the tree never visited."},
    {"first_cutoff",
     "Cutoffs that came at the first move tried: how good the move ordering is. It says nothing "
     "about how many cutoffs there were."},
    {"branching", "Nodes at one depth over nodes at the depth before: what one more ply costs."},
};

// NULL for numbers that explain themselves.
const char *explain_key(const char *key) {
    for (size_t i = 0; i < ARRAY_LEN(EXPLANATIONS); i++)
        if (strcmp(EXPLANATIONS[i].key, key) == 0)
            return EXPLANATIONS[i].text;
    return NULL;
}
