import { formatDateTime } from '#app/domain/format.server.ts';
import { countsOf, countSkippedRows } from '#app/domain/imports/import-preview.server.ts';
import { KIND_LABELS } from '#app/domain/imports/records.ts';
import type { findImports } from '#app/domain/imports/queries.server.ts';

export type ImportView = ReturnType<typeof toImportView>;

export function toImportView({ preview, ...row }: Awaited<ReturnType<typeof findImports>>[number], timeZone: string) {
  const at = row.undoneAt ?? row.appliedAt ?? row.createdAt;
  return {
    ...{ id: row.id, fileName: row.fileName, failure: row.failure, state: row.state },
    isBusy: row.requested !== null,
    kind: row.isKindOpen ? 'Not said what it holds' : KIND_LABELS[row.kind],
    isWhole: row.kind === 'all',
    at: formatDateTime(at, timeZone),
    by: row.username ?? 'on the server',
    stateText: row.requested === null ? STATES[row.state] : UNDER_WAY[row.requested],
    progress: { done: row.done, total: row.total || preview.rows },
    counts: { ...countsOf(preview), skipped: countSkippedRows(preview) },
  };
}

const STATES = { uploaded: 'Not imported yet', applied: 'Imported', undone: 'Undone' };
const UNDER_WAY = { apply: 'Being imported', undo: 'Being undone' };
