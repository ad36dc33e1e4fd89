import { refusedText } from './apply-import.server.ts';
import type { ImportPreview } from './import-preview.server.ts';
import { problemText } from './import-texts.server.ts';

/** All that is known of why nothing was written, a line for each. */
export function refusedImportText(preview: ImportPreview): string {
  const more = preview.refused - new Set(preview.problems.map(({ row }) => row)).size;
  const lines = preview.problems.map(problemText);
  return [
    `Nothing was imported: ${refusedText(preview)}.`,
    ...lines,
    ...(more > 0 ? [`… and ${more} more rows`] : []),
  ].join('\n');
}
