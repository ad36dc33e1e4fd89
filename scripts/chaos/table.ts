import { isFailed, type Result } from './fault.ts';

const COLUMNS = ['fault', 'acked', 'lost', 'doubled', 'told no', '5xx', 'longest s', 'recovered by itself'];

export interface Row {
  fault: string;
  /** The result, or a sentence on why the fault was not tried. */
  outcome: Result | string;
}

/** Formats the run as a Markdown table, with the problems below it. */
export function formatTable(rows: Row[]): string {
  const lines = [COLUMNS, COLUMNS.map(() => '---'), ...rows.map(cellsOf), totalOf(rows)];
  const problems = rows.flatMap(({ fault, outcome }) =>
    typeof outcome === 'string' ? [] : outcome.problems.map((problem) => `${fault}: ${problem}`),
  );
  return [...lines.map((cells) => `| ${cells.join(' | ')} |`), '', ...problems].join('\n');
}

function cellsOf({ fault, outcome }: Row): string[] {
  if (typeof outcome === 'string') return [fault, '–', '–', '–', '–', '–', '–', `not tried: ${outcome}`];
  const { acknowledged, lost, doubled, toldNo, serverErrors, longestMs, longestPath = '', recoveredMs } = outcome;
  return [
    isFailed(outcome) ? `**${fault}**` : fault,
    ...[acknowledged, lost, doubled, toldNo].map(String),
    describeServerErrors(serverErrors),
    `${(longestMs / 1000).toFixed(1)} ${withoutIds(longestPath)}`.trim(),
    recoveredMs === undefined ? '**no**' : `yes, ${(recoveredMs / 1000).toFixed(1)} s`,
  ];
}

/** Turns the path into the route that the log names. */
function withoutIds(path: string): string {
  return path.replace(/\?.*/, '').replaceAll(/\/\d+/g, '/:id');
}

export function describeServerErrors(serverErrors: Record<number, number>): string {
  const parts = Object.entries(serverErrors).map(([status, times]) => `${times}×${status}`);
  return parts.join(', ') || '0';
}

function totalOf(rows: Row[]): string[] {
  const results = rows.flatMap(({ outcome }) => (typeof outcome === 'string' ? [] : [outcome]));
  const sum = (count: (result: Result) => number) =>
    String(results.reduce((total, result) => total + count(result), 0));
  const serverErrors: Record<string, number> = {};
  for (const result of results) {
    for (const [status, times] of Object.entries(result.serverErrors))
      serverErrors[status] = (serverErrors[status] ?? 0) + times;
  }
  return [
    `${results.length} faults`,
    ...[sum((r) => r.acknowledged), sum((r) => r.lost), sum((r) => r.doubled), sum((r) => r.toldNo)],
    describeServerErrors(serverErrors),
    (Math.max(0, ...results.map(({ longestMs }) => longestMs)) / 1000).toFixed(1),
    `${results.filter(({ recoveredMs }) => recoveredMs !== undefined).length} of ${results.length}`,
  ];
}
