/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of a series of reports, shared by report.c and the three formats. A format is a row of functions; report.c
 * picks the devices, keeps what does not change from one report to the next, and calls them.
 *
 * Nothing is allocated once names, widths and the rows of idle devices are known.
 */
#ifndef IODELTA_OUT_REPORT_H
#define IODELTA_OUT_REPORT_H

#include "out/output.h"

#define IDLE_ROWS 16

struct report_column {
	const struct metric *metric;
	const char *heading;
	char *key;                      /* ,"r/s": */
	size_t key_len;
	int width;                      /* of the text table, the gap before it included */
};

/* The values of a device without I/O depend only on which fields it has and why it lacks the others. */
struct idle_row {
	field_set valid;
	uint8_t why[FIELDS];
	struct text values, na;
};

/* A device's name as the format writes it. */
struct label {
	uint32_t instance;              /* 0: not made yet */
	struct text name;
	size_t cells;
};

/* What a group's uppers all carry; the reasons are ready for "na". */
struct edge_text {
	struct text edges, na;
};

struct report_row {
	uint32_t slot;
	const struct label *label;
	const struct delta *delta;
};

/* The report being written. */
struct report_moment {
	struct engine *engine;
	double time_s, interval_s;
	bool since_boot;
};

struct report {
	struct report_options options;  /* columns and wanted point to what the caller keeps, or to `columns` */
	const struct report_format *format;
	struct report_column *columns;
	size_t n_columns;
	struct idle_row idle[IDLE_ROWS];
	size_t n_idle, next_idle;
	struct label *labels;           /* by slot */
	size_t n_labels, labels_capacity;
	struct report_row *rows;
	size_t n_rows, rows_capacity;
	struct delta *since_boot;       /* by slot */
	size_t since_boot_capacity;
	size_t name_cells;              /* the widest name so far */
	struct text stamp;              /* CSV: time and interval */
	struct text na;                 /* JSON: the reasons of the device or system being written */
	struct text scratch;
	struct text reasons[NA_COUNT];  /* quoted */
	struct edge_text *edges;        /* by edge group */
	size_t n_edges, edges_capacity;
	const struct delta **edge_deltas;       /* by topology index */
	size_t edge_deltas_capacity;
	struct value *shares;
	size_t shares_capacity;
};

struct report_format {
	void (*label)(const char *name, struct label *label);
	void (*begin)(const struct report *r, struct text *out);
	void (*open)(struct report *r, const struct report_moment *m, struct text *out);
	/* The values of all columns; reasons of those that are not available, if the format has a place for them. */
	void (*values)(const struct report *r, const struct delta *d, struct text *out, struct text *na);
	void (*row)(struct report *r, const struct report_moment *m, const struct report_row *row, struct text *out);
	void (*close)(struct text *out);
};

extern const struct report_format report_text, report_csv, report_json;

/* The values of a device by the format, for an idle one from what was made before. */
void report_values(struct report *r, const struct delta *d, struct text *out, struct text *na)
	__attribute__((nonnull));
/* The delta of the moment: of the interval, or since boot; NULL when the device is not in it. */
const struct delta *report_delta(const struct report *r, const struct report_moment *m, uint32_t slot)
	__attribute__((nonnull));

/* edges.c: make the text of every edge group, and the one of a device that is an upper (NULL: it is none). */
void report_edges_make(struct report *r, const struct report_moment *m) __attribute__((nonnull));
const struct edge_text *report_edges_of(const struct report *r, const struct report_moment *m, uint32_t slot)
	__attribute__((nonnull));

#endif
