/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops add COUNT: adds so many idle loop devices and prints their numbers, a line each as they come.
 * loops remove: removes those whose numbers it reads.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Numbers of its own, far from those that are handed out by LOOP_CTL_GET_FREE. */
enum { FIRST_NUMBER = 20000 };

static int add(int control, int count)
{
	int number;

	for (number = FIRST_NUMBER; count > 0; number++) {
		if (ioctl(control, LOOP_CTL_ADD, number) >= 0) {
			printf("%d\n", number);
			fflush(stdout);
			count--;
		} else if (errno != EEXIST) {
			return -1;
		}
	}
	return 0;
}

static int remove_one(int control, int number)
{
	int tries;

	/* whoever looks at new devices (udev) may still have it open */
	for (tries = 0; tries < 50; tries++) {
		if (ioctl(control, LOOP_CTL_REMOVE, number) >= 0 || errno == ENODEV)
			return 0;
		if (errno != EBUSY)
			return -1;
		usleep(20000);
	}
	return -1;
}

static int remove_all(int control)
{
	char line[64];
	int rc = 0;

	while (fgets(line, sizeof(line), stdin))
		if (remove_one(control, (int)strtol(line, NULL, 10)) < 0) {
			perror("loops: remove");
			rc = -1;
		}
	return rc;
}

int main(int argc, char **argv)
{
	int control, rc;

	if (argc < 2 || (strcmp(argv[1], "remove") && (strcmp(argv[1], "add") || argc != 3))) {
		fprintf(stderr, "usage: loops add COUNT | loops remove <NUMBERS\n");
		return 2;
	}
	control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	if (control < 0) {
		perror("/dev/loop-control");
		return 1;
	}
	if (!strcmp(argv[1], "add")) {
		rc = add(control, (int)strtol(argv[2], NULL, 10));
		if (rc < 0)
			perror("/dev/loop-control");
	} else {
		rc = remove_all(control);
	}
	close(control);
	return rc < 0;
}
