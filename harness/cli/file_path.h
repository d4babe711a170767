// SPDX-License-Identifier: GPL-3.0-or-later
// Paths as text: joining, the folder of a file, one path as seen from a folder. `.` and `..` are
// kept when a path is joined (a symbolic link may stand before `..`); path_relative works on the
// text alone.
#pragma once

// The folder part of a path with its slash ("configs/players/"), "" for a bare name. The caller
// frees it; NULL when out of memory. Thread: any.
char *path_folder(const char *path);

// The name of a file without its folder and its last ending: "results/cup.db" is "cup", ".hidden"
// stays. The caller frees it; NULL when out of memory. Thread: any.
char *path_stem(const char *path);

// `path` if it is absolute, else `folder` + `path`, where `folder` is "" or ends with a slash or
// not. The caller frees it; NULL when out of memory. Thread: any.
char *path_join(const char *folder, const char *path);

// `path` as written in a file that lies in `folder`: "../openings/book.txt". Both are taken from
// the working directory;
// "" is the working directory itself. The caller frees it; NULL when out of memory. Thread: any.
char *path_relative(const char *folder, const char *path);

// The program that a command names: with a slash, the path itself; without, the first executable of
// that name in the folders of PATH, or the name itself when there is none. The caller frees it;
// NULL when out of memory. Thread: any.
char *path_find_program(const char *command);
