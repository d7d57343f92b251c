/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "kernel/procps.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"

#ifdef HAVE_LIBPROC2

#include <libproc2/vmstat.h>

struct procps {
	struct vmstat_info *vmstat;
	uint64_t page_kib;
};

struct procps *procps_new(void)
{
	struct procps *p = xcalloc(1, sizeof(*p));
	long page = sysconf(_SC_PAGESIZE);

	p->page_kib = page > 0 ? (uint64_t)page / 1024 : 4;
	if (procps_vmstat_new(&p->vmstat) < 0) {
		free(p);
		return NULL;
	}
	return p;
}

void procps_free(struct procps *p)
{
	if (!p)
		return;
	procps_vmstat_unref(&p->vmstat);
	free(p);
}

/* The macros that name a result's type differ between 4.0.4 and 4.0.5, the member does not. */
static uint64_t result(const struct vmstat_stack *stack, int item)
{
	return stack->head[item].result.ul_int;
}

void procps_read(struct procps *p, struct system_counters *s)
{
	static enum vmstat_item items[] = {
		VMSTAT_PGPGIN, VMSTAT_PGPGOUT, VMSTAT_NR_DIRTY, VMSTAT_NR_WRITEBACK,
	};
	const struct vmstat_stack *stack = p ? procps_vmstat_select(p->vmstat, items, ARRAY_SIZE(items)) : NULL;

	if (!stack)
		return;
	s->pgpgin_kib = result(stack, 0);
	s->pgpgout_kib = result(stack, 1);
	s->dirty_kib = result(stack, 2) * p->page_kib;
	s->writeback_kib = result(stack, 3) * p->page_kib;
	s->has |= SYS_PAGING | SYS_DIRTY;
}

#else

struct procps *procps_new(void)
{
	return NULL;
}

void procps_free(struct procps *p)
{
	free(p);
}

void procps_read(struct procps *p, struct system_counters *s)
{
	(void)p;
	(void)s;
}

#endif
