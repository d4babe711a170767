// SPDX-License-Identifier: GPL-3.0-or-later
// Files of pictures, and the order in which they are made.
#include "harness/report/plot.h"

#include "harness/report/figures.h"
#include "harness/report/gnuplot_run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// A picture takes a second; a gnuplot that hangs must not hold a script for ever.
enum { DRAW_TIMEOUT_MS = 60000 };

static Status folder_make(const char *path, ErrorText *err) {
    Text part = {0};
    Status status = STATUS_OK;
    for (const char *c = path; status == STATUS_OK; c++) {
        if ((*c == '/' && c > path) || *c == '\0') {
            text_clear(&part);
            text_append_bytes(&part, path, (size_t)(c - path));
            if (part.failed)
                status = error_set(err, STATUS_NO_MEMORY, "out of memory");
            // Parents may be there, or be unwritable and still hold the rest: only the last one's
            // failure counts.
            else if (mkdir(text_cstr(&part), 0777) != 0 && errno != EEXIST && *c == '\0')
                status = error_set(err, STATUS_INVALID, "%s: %s", path, strerror(errno));
        }
        if (*c == '\0')
            break;
    }
    struct stat info;
    if (status == STATUS_OK && (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)))
        status = error_set(err, STATUS_INVALID, "%s: is not a folder", path);
    text_release(&part);
    return status;
}

static Status file_write(const char *path, const Text *contents, ErrorText *err) {
    if (contents->failed)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    FILE *file = fopen(path, "we");
    if (!file)
        return error_set(err, STATUS_INVALID, "%s: %s", path, strerror(errno));
    bool written = fwrite(text_cstr(contents), 1, contents->length, file) == contents->length;
    // A full disk is often told by fclose only; | and not ||, so that it is called in any case.
    if ((fclose(file) != 0) | !written)
        return error_set(err, STATUS_IO, "%s: %s", path, strerror(errno));
    return STATUS_OK;
}

// Paths of one figure.
typedef struct FigureFiles {
    Text script, data, picture;
} FigureFiles;

static void files_release(FigureFiles *files) {
    text_release(&files->script);
    text_release(&files->data);
    text_release(&files->picture);
}

// Draws one format. Trouble of gnuplot is noted; only running out of memory is returned.
static Status picture_draw(const char *format, FigureFiles *files, PlotOutcome *outcome,
                           ErrorText *err) {
    GnuplotJob job = {text_cstr(&files->script), text_cstr(&files->data), format,
                      text_cstr(&files->picture), DRAW_TIMEOUT_MS};
    if (outcome->gnuplot_missing)
        return STATUS_OK;
    Status status = gnuplot_draw(&job, err);
    if (status == STATUS_NO_MEMORY)
        return status;
    if (status == STATUS_OK) {
        text_printf(&outcome->files, "%s\n", job.target);
        outcome->drawn++;
    } else if (status == STATUS_UNSUPPORTED) {
        outcome->gnuplot_missing = true;
    } else {
        text_printf(&outcome->notes, "%s\n", err->text);
        outcome->failed++;
    }
    return STATUS_OK;
}

// Data first, then the script that reads it, then the picture: whatever fails, what stands there
// can be drawn by hand.
static Status figure_files_write(const Figure *figure, const PlotRequest *request,
                                 FigureFiles *files, ErrorText *err) {
    Text script = {0};
    text_printf(&files->script, "%s/%s.gp", request->folder, figure->name);
    text_printf(&files->data, "%s/%s.dat", request->folder, figure->name);
    figure_write_script(figure, &script);
    Status status = files->script.failed || files->data.failed
                        ? error_set(err, STATUS_NO_MEMORY, "out of memory")
                        : file_write(text_cstr(&files->data), &figure->data, err);
    if (status == STATUS_OK)
        status = file_write(text_cstr(&files->script), &script, err);
    text_release(&script);
    return status;
}

static Status figure_plot(const Figure *figure, const PlotRequest *request, PlotOutcome *outcome,
                          ErrorText *err) {
    FigureFiles files = {0};
    Status status = figure_files_write(figure, request, &files, err);
    for (int svg = 0; svg <= 1 && status == STATUS_OK; svg++) {
        if (!(svg ? request->svg : request->png))
            continue;
        text_clear(&files.picture);
        text_printf(&files.picture, "%s/%s.%s", request->folder, figure->name, svg ? "svg" : "png");
        status = files.picture.failed ? error_set(err, STATUS_NO_MEMORY, "out of memory")
                                      : picture_draw(svg ? "svg" : "png", &files, outcome, err);
    }
    files_release(&files);
    return status;
}

static bool is_wanted(const PlotRequest *request, const FigureKind *kind) {
    bool found = false;
    for (int i = 0; i < request->only_count; i++)
        found |= strcmp(request->only[i], kind->name) == 0;
    return found;
}

Status plot_all(const ReportInput *input, const PlotRequest *request, PlotOutcome *outcome,
                ErrorText *err) {
    *outcome = (PlotOutcome){0};
    Status status = folder_make(request->folder, err);
    const FigureKind *kind;
    for (int i = 0; status == STATUS_OK && (kind = figure_kind_at(i)); i++) {
        if (request->only_count > 0 && !is_wanted(request, kind))
            continue;
        // Not a word about pictures of the other kind, unless one is asked for by name.
        if (request->only_count == 0 && kind->of_tune != (input->tune != NULL))
            continue;
        Figure figure = {.name = kind->name};
        kind->make(input, &figure);
        if (figure.data.failed || figure.head.failed || figure.body.failed) {
            status = error_set(err, STATUS_NO_MEMORY, "out of memory");
        } else if (figure.skipped[0]) {
            if (!figure.is_absent || request->only_count > 0)
                text_printf(&outcome->notes, "%s: not drawn, %s\n", kind->name, figure.skipped);
            outcome->skipped++;
        } else {
            status = figure_plot(&figure, request, outcome, err);
        }
        figure_release(&figure);
    }
    return status;
}

void plot_outcome_release(PlotOutcome *outcome) {
    text_release(&outcome->files);
    text_release(&outcome->notes);
}
