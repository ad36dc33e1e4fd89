import { IMPORT_KINDS, type ImportKind } from '../records.ts';
import { SIGNS } from './fields.ts';
import { findColumns } from './find-columns.ts';
import type { Part } from './find-parts.ts';

/** The kind that is found in a table of the file; null for none, or for two. */
export function findKind(parts: Part[]): ImportKind | null {
  const [kind, another] = [...new Set(parts.map(kindOf))].filter((found) => found !== null);
  return another ? null : (kind ?? null);
}

/** The kind whose fields name most of the filled columns; null where two name about as many. */
function kindOf(part: Part): ImportKind | null {
  const found = IMPORT_KINDS.flatMap((kind) => {
    const columns = findColumns(kind, part);
    const isOne = SIGNS[kind].every((fields) => columns.some(({ field }) => field !== null && fields.includes(field)));
    return isOne ? [{ kind, count: columns.filter(({ field, isFilled }) => field !== null && isFilled).length }] : [];
  }).toSorted((a, b) => b.count - a.count);
  const [best, second] = found;
  return best && best.count > (second?.count ?? 0) ? best.kind : null;
}
