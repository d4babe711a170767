// SPDX-License-Identifier: GPL-3.0-or-later
// The one main.
#include "harness/cli/command.h"

#include <signal.h>

int main(int argc, char **argv) {
    // A reader of ours or an engine that goes away is an error of one write, never the end of the
    // program.
    signal(SIGPIPE, SIG_IGN);
    return command_main(argc, argv);
}
