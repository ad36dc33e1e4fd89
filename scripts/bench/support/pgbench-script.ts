import type { Statement } from './statement-recorder.ts';

export interface PgbenchScript {
  sql: string;
  /** Texts that the script's parameters are bound to. */
  variables: Record<string, string>;
}

/**
 * Turns the recorded statements of a check-out and its check-in into a script with a new flight and new keys each time.
 */
export function toPgbenchScript(
  statements: readonly Statement[],
  flightId: number,
  keys: readonly string[],
): PgbenchScript {
  const variables: Record<string, string> = {};
  const lines = keys.map((_, at) => `\\set key${at} random(1, 9000000000000000)`);
  const insertion = statements.findIndex(({ text }) => text.startsWith('insert into "flight_logs"'));
  // The first row that is read after the insertion is the new flight's.
  const newFlight = statements.findIndex(({ text }, at) => at > insertion && /^select "flight_logs"\."id"/.test(text));
  if (insertion < 0 || newFlight < 0) throw new Error("No statement reads the new flight's id.");
  for (const [at, { text, values }] of statements.entries()) {
    const bind = (value: string | null, place: number): string => {
      if (value === null) return 'null';
      if (value === '') return "''";
      if (value === String(flightId)) return ':flight_id';
      if (keys.includes(value)) return `:key${keys.indexOf(value)}`;
      const name = `p${at}_${place}`;
      variables[name] = value;
      return `:${name}`;
    };
    const sql = text
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/\$(\d+)/g, (_, place: string) => bind(values[Number(place) - 1] ?? null, Number(place)));
    lines.push(at === newFlight ? `${sql} \\gset flight_` : `${sql};`);
  }
  return { sql: lines.join('\n'), variables };
}
