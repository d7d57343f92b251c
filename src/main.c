/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <locale.h>
#include <unistd.h>

#include "base/quit.h"
#include "cmd/command.h"

/*
 * A standard descriptor that was closed would be given to the next file that is opened, and a message would go into
 * it. /dev/null takes its place, in the direction that does not work: writing to a closed output stays an error.
 */
static void fill_standard_descriptors(void)
{
	static const int directions[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int fd = 0; fd < 3; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", directions[fd]) < 0)
			_exit(EXIT_FAILED);
	}
}

int main(int argc, char **argv)
{
	struct invocation in;
	int status;

	fill_standard_descriptors();
	setlocale(LC_CTYPE, "");
	quit_install();
	if (options_parse(&in, argc, argv, &status))
		status = in.command->run(&in);
	invocation_release(&in);
	return status;
}
