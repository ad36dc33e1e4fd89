import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { readSheet } from 'read-excel-file/node';
import { expect, it } from 'vitest';
import yauzl from 'yauzl';
import { assertFitsSheet } from '#app/domain/flights/exported/export-flight-logs.server.ts';
import { loader as flightSheet } from '#app/routes/api.flight-logs.export[.]xlsx/route.ts';
import { loader as hoursSheet } from '#app/routes/api.flight-logs.hours.export[.]xlsx/route.ts';
import { completed, insert, makeFlight, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { documentAt, nightly, textOf, textsOf } from '#tests/support/pages.ts';
import { answerTo, call, cookieOf, getRequest } from '#tests/support/ask.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db, { time_zone: 'America/Los_Angeles' });
const admin = await makeUser(db, schoolId, 'administrator');
const student = await makeUser(db, schoolId, 'student', '=anna');
const cookies = { admin: await cookieOf(db, admin), student: await cookieOf(db, student) };
const aircraftId = await makeAircraft(db, schoolId);
const may = 'from=2026-05-01&to=2026-05-31';
const lesson = {
  ...{ instructor_id: admin.id, instructor_time_in: '09:00', instructor_time_out: '10:25', ground_school_time: '0.25' },
  notes: '=1+1',
};
await makeFlight(db, student, aircraftId, { ...completed('2026-05-12T20:05:00Z', '2026-05-12T21:35:00Z'), ...lesson });
const corrected = await makeFlight(db, admin, aircraftId, completed('2026-05-13T20:05:00Z', '2026-05-13T21:35:00Z'));

const fileOf = async (loader: typeof flightSheet, path: string) =>
  Buffer.from(await (await loader(call(getRequest(path, cookies.admin)))).arrayBuffer());

async function partOf(file: Buffer, part: string): Promise<string> {
  const zip = await promisify<Buffer, yauzl.ZipFile>((buffer, done) => yauzl.fromBuffer(buffer, done))(file);
  return new Promise((resolve, reject) => {
    zip.on('error', reject).on('entry', (entry: yauzl.Entry) => {
      if (entry.fileName !== part) return;
      zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(text(stream))));
    });
  });
}

it('the spreadsheet of the hours has its rows as numbers, and no sum that SUM would count again (B898, B924)', async () => {
  const rows = await readSheet(await fileOf(hoursSheet, `/api/flight-logs/hours/export.xlsx?${may}`));
  const { $ } = await documentAt(`/flight-logs/hours?${may}`, cookies.admin);
  const lines = $('table tbody tr').toArray();
  const shown = lines.map((row) => textsOf($, $(row).find('td')).map(Number));
  expect(shown.map((row) => row.join(' '))).toEqual(['1 1.2 1 1.42 0.25', '1 1.2 1 0 0', '2 2.4 2 1.42 0.25']);
  expect(rows.map(([name]) => name)).toEqual(['pilot', '=anna', admin.username]);
  expect(rows.slice(1).map(([, flights, _open, ...hours]) => [flights, ...hours.slice(0, 4)])).toEqual(
    shown.slice(0, -1),
  );
});

it('the spreadsheet of flights has a frozen header, a filter over all rows, widths, and no formula (B895, B898)', async () => {
  const xml = await partOf(
    await fileOf(flightSheet, `/api/flight-logs/export.xlsx?${may}`),
    'xl/worksheets/sheet1.xml',
  );
  expect(xml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
  expect(xml).toMatch(/<autoFilter ref="A1:A[A-Z]3"\/><\/worksheet>$/);
  expect(xml).toContain('<col min="1" max="1" width="9" customWidth="1"/>');
  expect(xml).toContain('t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>');
  expect(xml).not.toContain('<f>');
});

nightly('dates and times of the day are shown as the language of the spreadsheet writes them (B924)', async () => {
  const styles = await partOf(await fileOf(hoursSheet, '/api/flight-logs/hours/export.xlsx'), 'xl/styles.xml');
  const formats = [...styles.matchAll(/<xf numFmtId="(\d+)"[^>]*xfId/g)].map(([, format]) => Number(format));
  // Of these, 22 and 20 are built into every spreadsheet.
  expect(formats).toEqual([0, 0, 164, 22, 20]);
  expect(styles).toContain('<numFmts count="1"><numFmt numFmtId="164" formatCode="0.0#"/></numFmts>');
});

it('a sheet of hours is called by what it sums; no sheet has rows of another school (B321, B898)', async () => {
  for (const [query, name] of [
    ['by=aircraft&from=2026-05-01', 'hours-by-aircraft-2026-05-01-today.xlsx'],
    ['from=2026-05-01&to=2026-05-31', 'hours-by-pilot-2026-05-01-2026-05-31.xlsx'],
  ]) {
    const answer = await hoursSheet(call(getRequest(`/api/flight-logs/hours/export.xlsx?${query}`, cookies.admin)));
    expect(answer.headers.get('content-disposition')).toContain(`filename="${name}"`);
    await answer.body?.cancel();
  }
  const other = await makeUser(db, await makeSchool(db), 'administrator');
  const theirs = await makeAircraft(db, other.schoolId);
  await makeFlight(db, other, theirs, completed('2026-05-12T20:05:00Z', '2026-05-12T21:35:00Z'));
  expect(await readSheet(await fileOf(flightSheet, '/api/flight-logs/export.xlsx'))).toHaveLength(3);
  const found = await readSheet(await fileOf(flightSheet, `/api/flight-logs/export.xlsx?aircraftId=${theirs}`));
  expect(found).toHaveLength(1);
  const hours = await fileOf(hoursSheet, `/api/flight-logs/hours/export.xlsx?${may}&aircraftId=${theirs}`);
  expect(await readSheet(hours)).toHaveLength(1);
});

nightly('more flights than a sheet takes are refused in words (B898)', async () => {
  await expect(assertFitsSheet(db, admin, {}, 1)).rejects.toMatchObject({
    code: 'invalid',
    message: 'A spreadsheet holds at most 100,000 flights. Please choose a narrower filter, or export CSV.',
  });
  await expect(assertFitsSheet(db, admin, {}, 2)).resolves.toBeUndefined();
  await expect(assertFitsSheet(db, admin, { aircraftId: 0 }, 0)).resolves.toBeUndefined();
});

it("only administrators export flights, who did is recorded, and 'Excel' carries the filter (B895, B742)", async () => {
  const path = `/api/flight-logs/export.xlsx?${may}`;
  expect((await answerTo(getRequest(path, cookies.student))).status).toBe(403);
  const { headers } = await flightSheet(call(getRequest(path, cookies.admin)));
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="flight-logs-all-\d{4}-\d\d-\d\d\.xlsx"$/);
  const exported = db.selectFrom('audit_entries').select('after').where('action', '=', 'exported flight logs');
  const after = { aircraftId: 'all', format: 'xlsx', from: '2026-05-01', to: '2026-05-31' };
  expect(await exported.orderBy('id', 'desc').executeTakeFirst()).toEqual({ after });
  const { $ } = await documentAt(`/flight-logs?${may}`, cookies.admin);
  expect($('a:contains("Excel")').attr('href')).toBe(path);
  const ofStudent = await documentAt(`/flight-logs?${may}`, cookies.student);
  expect(ofStudent.$('a:contains("Excel"), a:contains("Enter a Past Flight")')).toHaveLength(0);
});

it("'Changed since' a day narrows list and files to what is new or corrected, and stays in the form (B899)", async () => {
  await db.updateTable('flight_logs').set({ end_hobbs: '101.3' }).where('id', '=', corrected).execute();
  const revision = { school_id: schoolId, flight_log_id: corrected, user_id: admin.id, reason: 'Misread' };
  const values = { field: 'end_hobbs', old_value: '101.2', new_value: '101.3' } as const;
  await insert(db, 'flight_log_revisions', { ...revision, ...values });
  const rowsSince = async (day: string) =>
    readSheet(await fileOf(flightSheet, `/api/flight-logs/export.xlsx?since=${day}`));
  const [header = [], ...rows] = await rowsSince('2026-05-01');
  expect(rows.map((row) => [row[0], row[header.indexOf('corrected')]])).toContainEqual([corrected, 'y']);
  expect(rows).toHaveLength(2);
  expect(await rowsSince('2999-01-01')).toHaveLength(1);
  const { $ } = await documentAt('/flight-logs?since=2999-01-01', cookies.admin);
  expect($('[name="since"]').attr('value')).toBe('2999-01-01');
  expect($('details.fold').attr('open')).toBeDefined();
  expect(textOf($('main'))).toContain('No flights match this filter.');
});
