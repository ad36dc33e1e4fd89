import { z } from 'zod';
import { IMPORT_ROWS_SHOWN } from '#app/limits.ts';
import type { PlanOfFile } from './import-file.server.ts';
import type { ImportKind, RowProblem } from './records.ts';

const rowProblemSchema = z.strictObject({
  row: z.int().describe('From 1, the heading included'),
  column: z.string().nullable().describe("The file's own heading"),
  message: z.string(),
});

const counts = {
  rows: z.int().describe('All below the heading; those that are in no other count are skipped'),
  added: z.int().describe('New records'),
  changed: z.int().describe('Records that get other values'),
  present: z.int().describe('Rows whose record is there already, as the file has it'),
  different: z.int().describe('Rows whose record is there and says otherwise: it stays as it is'),
  refused: z.int().describe('Rows that cannot be imported'),
};

const causeSchema = rowProblemSchema.extend({ rows: z.int().describe('How many rows are refused for this cause') });

/** The effects of an import; a long list has its first rows. */
export const importPreviewSchema = z.strictObject({
  ...counts,
  problems: z.array(rowProblemSchema).describe('Why rows are refused, the first hundred'),
  causes: z.array(causeSchema).describe('The same by cause, with the first row of each'),
  differences: z.array(rowProblemSchema).describe('What a record here and its row say otherwise, the first hundred'),
  there: z.array(rowProblemSchema).describe('Which record is there already, the first hundred'),
  remarks: z.array(rowProblemSchema).describe('What is odd, the first hundred'),
  changes: z.array(rowProblemSchema).describe('What changes, the first hundred'),
  skipped: z.array(z.int()).describe('Rows that are sums, repeated headings or footers, the first hundred'),
});

export const importCountsSchema = z.strictObject(counts);

export type ImportPreview = z.infer<typeof importPreviewSchema>;

/** Returns the fields that a release before this one knows, and those that it has no place for. */
export function toStoredPreview({ different, causes, differences, there, skipped, ...preview }: ImportPreview) {
  return {
    preview: JSON.stringify(preview),
    outcome: JSON.stringify({ different, causes, differences, there, skipped }),
  };
}

export function fromStoredPreview({ preview, outcome }: { preview: object; outcome: object }): ImportPreview {
  return importPreviewSchema.parse({ ...NOTHING, ...preview, ...outcome });
}

const NOTHING = {
  ...{ added: 0, changed: 0, present: 0, different: 0, refused: 0 },
  ...{ problems: [], causes: [], differences: [], there: [], remarks: [], changes: [], skipped: [] },
};

export function toPreview<Kind extends ImportKind>(rows: number, plan: PlanOfFile<Kind>): ImportPreview {
  const first = <Item>(items: Item[]) => items.slice(0, IMPORT_ROWS_SHOWN);
  return {
    rows,
    added: plan.added.length,
    changed: plan.changed.length,
    present: plan.present,
    different: plan.different.length,
    refused: new Set(plan.problems.map(({ row }) => row)).size,
    problems: first(plan.problems),
    causes: first(causesOf(plan.problems)),
    differences: first(plan.different),
    there: plan.there,
    remarks: first(plan.remarks),
    changes: first(plan.changed).map(({ row, name, before, after }) => ({
      row,
      column: null,
      message: `${name}: ${Object.keys(after)
        .filter((key) => before[key] !== after[key])
        .map((key) => `${key.replaceAll('_', ' ')} ${before[key] ?? '–'} → ${after[key] ?? '–'}`)
        .join(', ')}`,
    })),
    skipped: first(plan.skipped),
  };
}

/** Refusals that differ in their values only are of one cause; the most frequent first. */
function causesOf(problems: RowProblem[]): z.infer<typeof causeSchema>[] {
  const causes = new Map<string, z.infer<typeof causeSchema>>();
  for (const problem of problems) {
    const key = `${problem.column} ${problem.message.replace(VALUES, '')}`;
    const cause = causes.get(key);
    if (cause) cause.rows += 1;
    else causes.set(key, { ...problem, rows: 1 });
  }
  return [...causes.values()].toSorted((a, b) => b.rows - a.rows);
}

/**
 * It matches quotes, places in brackets, numbers, and the name that a sentence begins with: 'Anna Weber is no user
 * here.'
 */
const VALUES = /"[^"]*"|\([^)]*\)|[\d.:-]+|^(?!Th).*?(?= (?:is|are|was|were|stands|ends) )/g;

export function toUnplannedPreview(rows: number): ImportPreview {
  return { rows, ...NOTHING };
}

/** The counts of a preview, without its lists. */
export function countsOf(preview: z.infer<typeof importCountsSchema>): z.infer<typeof importCountsSchema> {
  return z.object(counts).parse(preview);
}

/** How many rows are no records: sums, repeated headings, footers. */
export function countSkippedRows(preview: z.infer<typeof importCountsSchema>): number {
  const { rows, added, changed, present, different, refused } = preview;
  return rows - added - changed - present - different - refused;
}
