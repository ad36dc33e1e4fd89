import { parse } from 'csv-parse/sync';
import type { TestServer } from '../server.ts';
import type { TypedFlight } from './fly.ts';

interface Compared {
  once: number;
  doubled: number;
  lost: number;
  /** Flights of which database, log or export have something else than what was typed. */
  differing: string[];
}

/** Holds the school's flights in database, log and export against what was typed. */
export async function compareFlights(
  server: Pick<TestServer, 'db' | 'url'>,
  schoolId: number,
  cookie: string,
  typed: TypedFlight[],
): Promise<Compared> {
  const sources = {
    database: await fromDatabase(server, schoolId),
    log: await fromLog(server, cookie),
    export: await fromExport(server, cookie),
  };
  const compared: Compared = { once: 0, doubled: 0, lost: 0, differing: [] };
  for (const flight of typed) {
    const same = sources.database.filter((row) => row.startsWith(startOf(flight)));
    if (same.length === 1) compared.once += 1;
    else if (same.length > 1) compared.doubled += 1;
    else compared.lost += 1;
  }
  const wanted = typed.map((flight) => `${startOf(flight)} ${flight.end.hobbs} ${flight.end.tach} ${flight.notes}`);
  for (const [name, rows] of Object.entries(sources)) {
    for (const row of rows) if (!wanted.includes(row)) compared.differing.push(`${name} has ${row}`);
    for (const row of wanted) if (!rows.includes(row)) compared.differing.push(`${name} lacks ${row}`);
  }
  return compared;
}

function startOf({ start: { hobbs, tach } }: TypedFlight): string {
  return `${hobbs} ${tach}`;
}

async function fromDatabase({ db }: Pick<TestServer, 'db'>, schoolId: number): Promise<string[]> {
  const rows = await db.selectFrom('flight_logs').selectAll().where('school_id', '=', schoolId).execute();
  return rows.map((row) => [row.start_hobbs, row.start_tach, row.end_hobbs, row.end_tach, row.notes].join(' '));
}

async function fromLog({ url }: Pick<TestServer, 'url'>, cookie: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/flight-logs?limit=500`, { headers: { cookie } });
  const rows: Record<string, string>[] = await answer.json();
  return rows.map((row) =>
    [row.startHobbsTime, row.startTachTime, row.endHobbsTime, row.endTachTime, row.notes].join(' '),
  );
}

async function fromExport({ url }: Pick<TestServer, 'url'>, cookie: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/flight-logs/export`, { headers: { cookie } });
  const rows: Record<string, string>[] = parse(await answer.text(), { columns: true, bom: true });
  return rows.map((row) =>
    [row['start Hobbs'], row['start tach'], row['end Hobbs'], row['end tach'], row.squawks].join(' '),
  );
}
