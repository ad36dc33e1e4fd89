import { withoutColumn } from '#tests/support/faults.ts';
import { beforeEach, expect, it } from 'vitest';
import type { NewRow } from '#db/tables.ts';
import { completed, makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { documentAfter, documentAt, type ServedDocument, textOf } from '#tests/support/documents.ts';
import { fieldsOf, linksIn, textsOf } from '#tests/support/shown.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { saveDraft } from '#app/domain/drafts.server.ts';
import { CHECK_OUT_DRAFT_KEY } from '#app/domain/flights/start-flight.server.ts';
import { makeScan } from '#tests/support/scanned-photo.ts';

const { db } = await testDatabase();

let schoolId: number, pilot: Member, cookie: string, aircraftId: number;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  pilot = await makeUser(db, schoolId);
  cookie = await cookieOf(db, pilot);
  aircraftId = await makeAircraft(db, schoolId);
});
const page = (path: string) => documentAt(path, cookie);
const draft = (choices: Record<string, string>) =>
  saveDraft(db, pilot, CHECK_OUT_DRAFT_KEY, Object.entries({ aircraftId: String(aircraftId), ...choices }));
const setAircraft = (columns: Omit<Partial<NewRow<'aircraft'>>, 'created_at'>) =>
  db.updateTable('aircraft').set(columns).where('id', '=', aircraftId).execute();

it('a step that is too early says what is missing; a remark is tied to its reading (B151, B153, B330, C06)', async () => {
  for (const [step, text] of [
    [1, 'Please select an aircraft first.'],
    [2, 'Please complete all previous steps first.'],
  ]) {
    const { $ } = await page(`/flight-log?step=${step}`);
    expect([textOf($('.empty-state p')), linksIn($, '.empty-state')]).toEqual([text, ['Go Back → /flight-log?step=0']]);
    expect($('main form').length).toBe(0);
  }
  await setAircraft({ last_hobbs: '200' });
  await draft({ startHobbsTime: '101.2' });
  const shown = await page('/flight-log?step=1');
  expect(remarksOn(shown, 'startHobbsTime')).toEqual(['Lower than the last recorded reading (200).']);
  const path = `/flight-log/${await makeFlight(db, pilot, aircraftId)}/post-check`;
  const refused = await documentAfter(path, { endHobbsTime: '100', endTachTime: '91' }, cookie);
  expect(remarksOn(refused, 'endHobbsTime')).toEqual(['End Hobbs time must be greater than start time']);
  expect(remarksOn(refused, 'endTachTime')).toEqual(['1.0 h since the start.']);
});

it('the review sends what it shows, with the photo of each meter, while the aircraft can be had (B152, B154, B325)', async () => {
  await setAircraft({ tail_number: 'N1' });
  const typed = {
    ...{ startHobbsTime: '101.2', startTachTime: '91.4' },
    startHobbsScan: String(await makeScan(db, pilot, aircraftId, { detected_text: '101.2' })),
    startTachScan: String(await makeScan(db, pilot, aircraftId, { meter_type: 'tachometer', detected_text: '101.2' })),
  };
  await draft(typed);
  const meters = await page('/flight-log?step=1');
  const { startHobbsScan, startTachScan } = typed;
  expect(fieldsOf(meters.$, '#read-meters')).toMatchObject({ startHobbsScan, startTachScan });
  const review = await page('/flight-log?step=2');
  const { requestId, ...sent } = fieldsOf(review.$, '#review');
  const shown = { aircraftId: String(aircraftId), tailNumber: 'N1', departedAt: '' };
  expect(sent).toEqual({ viewerId: String(pilot.id), typedForm: '/flight-log#review', ...shown, ...typed });
  expect(requestId).toMatch(/^[\da-f-]{36}$/);
  expect(textOf(review.$('#review button'))).toBe('Start Flight');
  expect(textOf(review.$('main'))).toContain('None on the last five flights.');

  await setAircraft({ maintenance_since: new Date() });
  const { $ } = await page('/flight-log?step=2');
  const grounded = 'This aircraft is currently under maintenance and cannot be used for flights.';
  expect([textOf($('.notice').last()), $('#review button').length]).toEqual([grounded, 0]);
  await setAircraft({ maintenance_since: null });
  await makeFlight(db, await makeUser(db, schoolId), aircraftId);
  const taken = (await page('/flight-log?step=2')).$('.notice').last();
  expect(textOf(taken)).toBe('This aircraft is already checked out.');
});

it('the first step lists all aircraft, disables what cannot be had; closing says why (B139-B144, C08, C09)', async () => {
  await makeAircraft(db, await makeSchool(db), { tail_number: 'N0' });
  await setAircraft({ tail_number: 'N1' });
  await makeAircraft(db, schoolId, { tail_number: 'N2', maintenance_since: new Date() });
  await makeFlight(db, await makeUser(db, schoolId), await makeAircraft(db, schoolId, { tail_number: 'N3' }));
  const { $ } = await page('/flight-log');
  const options = $('[name="aircraftId"] option').toArray();
  expect(options.map((option) => [textOf($(option)), $(option).is('[disabled]')])).toEqual([
    ['Select an aircraft', false],
    ['N1 · Cessna 172S', false],
    ['N2 · Cessna 172S [Maintenance]', true],
    ['N3 · Cessna 172S [Checked Out]', true],
  ]);
  expect(textsOf($, $('#select-aircraft .actions').children())).toEqual(['Next', 'Back']);
  expect(linksIn($, '#select-aircraft .actions')).toEqual(['Back → /']);
  const steps = $('nav[aria-label=Steps] li').toArray();
  expect(steps.map((step) => [textOf($(step)), $(step).find('a, button').length])).toEqual([
    ...[
      ['Select Aircraft', 1],
      ['Check Out', 0],
      ['Review & Save', 0],
    ],
  ]);
  const boss = await cookieOf(db, await makeUser(db, schoolId, 'administrator'));
  const flight = await makeFlight(db, pilot, aircraftId);
  const why = `For a flight that is over and that ${pilot.username} has not checked in. ${pilot.username} is told by mail.`;
  expect(textOf((await documentAt(`/flight-logs/${flight}/close`, boss)).$('.screen > p'))).toBe(why);
  const never = 'Only for a flight that never took place. It leaves the flight logs, and the aircraft is free again.';
  expect(textOf((await page(`/flight-logs/${flight}/cancel`)).$('.screen > p'))).toBe(never);
});

it('a flight that cannot be checked in says why, and leads on where there is a way (B211, B214, C32)', async () => {
  const saidOn = ({ status, $ }: ServedDocument) => [status, textOf($('main p')), ...linksIn($, 'main')];
  const home = 'Back to Dashboard → /';
  const landed = { ...completed('2026-05-12T14:00Z', '2026-05-12T15:00Z'), completed_by: pilot.id };
  const flight = await makeFlight(db, pilot, aircraftId, landed);
  const open = `/flight-log/${await makeFlight(db, pilot, aircraftId)}/post-check`;
  const failed = await withoutColumn(db, 'flight_logs', 'start_tach', () => page(open));
  expect(saidOn(failed)).toEqual([500, 'Failed to load flight log', `Try Again → ${open}`, home]);
  const log = `View Flight Log → /flight-logs/${flight}`;
  const done = await page(`/flight-log/${flight}/post-check`);
  expect(saidOn(done)).toEqual([409, 'This flight has already been completed.', log, home]);
  const unknown = await page('/flight-log/0/post-check');
  expect(saidOn(unknown)).toEqual([404, 'Could not find flight log. Please try again.', home]);
});

it('without script the focus is on the error summary, or the title of the details (B181, B330)', async () => {
  const { $ } = await documentAfter('/flight-log?step=0', { aircraftId: '' }, cookie);
  expect($('.error-summary h2').is('[autofocus]')).toBe(true);
  expect(textOf($('.error-summary h2'))).toBe('There is a problem');
  expect($('.error-summary, h1').first().is('.error-summary')).toBe(true);
  const details = await page(`/flight-logs?log=${await makeFlight(db, pilot, aircraftId)}`);
  const heading = details.$(`[id="${details.$('dialog[open]').attr('aria-labelledby')}"]`);
  expect([textOf(heading), heading.is('[autofocus]'), heading.attr('tabindex')]).toEqual([
    ...['Flight Log Details', true, '-1'],
  ]);
});

it('a correction is saved only after what it changes was shown; Enter shows (C10, C11)', async () => {
  const intentsOn = ({ $ }: ServedDocument) =>
    $('#correct button')
      .toArray()
      .map((button) => [textOf($(button)), $(button).attr('value')]);
  await setAircraft({ last_hobbs: '101.2', last_tach: '91.0' });
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const landed = { ...completed(hoursAgo(2), hoursAgo(1)), completed_by: pilot.id };
  const path = `/flight-logs/${await makeFlight(db, pilot, aircraftId, landed)}/correct`;
  const before = await page(path);
  const show = ['Show what changes', 'preview'];
  expect(intentsOn(before)).toEqual([['', 'preview'], show]);
  expect(fieldsOf(before.$, '#correct')).not.toHaveProperty('seen');
  const typed = {
    ...{ startHobbsTime: '100.0', endHobbsTime: '101.0', startTachTime: '90.0', endTachTime: '91.0' },
    reason: 'Misread',
  };
  const preview = await documentAfter(path, { ...typed, intent: 'preview' }, cookie);
  const { $ } = preview;
  expect(textsOf($, 'main [autofocus]')).toEqual(['What changes']);
  expect(intentsOn(preview)).toEqual([['', 'preview'], ['Save correction', 'save'], show]);
  expect(fieldsOf($, '#correct')).toMatchObject({ ...typed, seen: expect.stringMatching(/./) });
  const rows = $('tbody tr').toArray();
  expect(rows.map((row) => textsOf($, $(row).find('td')))).toContainEqual(['101.2', '101.0']);
});

/** What is said of a control, in the order in which it is read out. */
function remarksOn({ $ }: ServedDocument, name: string): string[] {
  const ids = $(`[name="${name}"]`).attr('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => textOf($(`[id="${id}"]`))).filter(Boolean);
}
