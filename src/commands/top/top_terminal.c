/* SPDX-License-Identifier: MIT
 * Modes of the terminal, and a frame that fits it. */
#include "commands/top/top_terminal.h"

#include "app/terminal.h"
#include "form/text_columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* the other screen, and no cursor; and back */
#define ENTER "\033[?1049h\033[?25l\033[2J"
#define LEAVE "\033[?25h\033[?1049l"

bool top_terminal_is_ours(void)
{
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && tcgetpgrp(STDOUT_FILENO) == getpgrp();
}

void top_terminal_measure(struct top_terminal *terminal)
{
    struct winsize size = { .ws_row = 0 };

    IGNORED(ioctl(STDOUT_FILENO, TIOCGWINSZ, &size), "a size of 0 is unknown");
    terminal->width = size.ws_col ? size.ws_col : 80;
    terminal->height = size.ws_row ? size.ws_row : 24;
}

void top_terminal_enter(struct top_terminal *terminal)
{
    struct termios keys;

    if (terminal->entered || !top_terminal_is_ours() || tcgetattr(STDIN_FILENO, &terminal->before) != 0)
        return;
    keys = terminal->before;
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    keys.c_cc[VMIN] = keys.c_cc[VTIME] = 0;
    if (tcsetattr(STDIN_FILENO, TCSANOW, &keys) != 0)
        return;
    terminal->entered = true;
    IGNORED(write(STDOUT_FILENO, ENTER, strlen(ENTER)), "the terminal has gone");
}

void top_terminal_leave(struct top_terminal *terminal)
{
    if (!terminal->entered)
        return;
    terminal->entered = false;
    IGNORED(write(STDOUT_FILENO, LEAVE, strlen(LEAVE)), "the terminal has gone");
    tcsetattr(STDIN_FILENO, TCSANOW, &terminal->before);
}

char *top_terminal_frame(const struct top_terminal *terminal, const char *text, size_t *length)
{
    char *frame = NULL;
    FILE *out = open_memstream(&frame, length);

    if (!out)
        return NULL;
    fputs("\033[H", out);
    for (int line = 0; *text && line < terminal->height; line++) {
        const size_t bytes = strcspn(text, "\n");
        size_t fitting;
        /* the last column stays free: writing there would start a new line on some terminals */
        text_fitting(text, bytes, terminal->width - 1, &fitting);
        fprintf(out, "%s%.*s%s\033[K", line ? "\r\n" : "", (int)fitting, text, fitting < bytes ? "\033[0m" : "");
        text += bytes + (text[bytes] == '\n');
    }
    fputs("\033[J", out);
    if (fclose(out) == 0)
        return frame;
    free(frame);
    return NULL;
}
