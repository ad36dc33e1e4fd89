import { withoutColumn } from '#tests/support/faults.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { NewRow } from '#db/tables.ts';
import type { Member } from '#app/domain/actor.ts';
import { saveDraft } from '#app/domain/drafts.server.ts';
import { CHECK_OUT_DRAFT_KEY } from '#app/domain/flights/start-flight.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAfter, documentAt, type ServedDocument, textOf } from '#tests/support/documents.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();

let schoolId: number;
let pilot: Member;
let cookie: string;
let aircraftId: number;
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

describe('the wizard', () => {
  it('a step that is too early says what is missing, and leads back (B151, B153)', async () => {
    for (const [step, text] of [
      [1, 'Please select an aircraft first.'],
      [2, 'Please complete all previous steps first.'],
    ]) {
      const { $ } = await page(`/flight-log?step=${step}`);
      expect([textOf($('.empty-state p')), textOf($('.empty-state a')), $('.empty-state a').attr('href')]).toEqual([
        text,
        'Go Back',
        '/flight-log?step=0',
      ]);
      expect($('main form').length).toBe(0);
    }
  });

  it('Enter on the second step leads on, though the way back stands before it (B158)', async () => {
    await draft({});
    const { $ } = await page('/flight-log?step=1');
    const buttons = $('main button')
      .toArray()
      .filter((button) => $(button).attr('form') === 'read-meters' || $(button).closest('#read-meters').length > 0);
    expect($(buttons[0]).attr('value')).toBe('next');
    expect([$(buttons[0]).attr('tabindex'), $(buttons[0]).attr('aria-hidden')]).toEqual(['-1', 'true']);
    const visible = buttons.slice(1).map((button) => [textOf($(button)), $(button).attr('value')]);
    expect(visible).toEqual([
      ['Select Aircraft', 'back'],
      ['Read photo', 'read-hobbs'],
      ['Read photo', 'read-tach'],
      ['Next', 'next'],
      ['Back', 'back'],
    ]);
    expect($('.notice').length).toBe(0);
  });

  it('the review sends what it shows, with the photo of each meter, while the aircraft can be had (B152, B154, B325)', async () => {
    await setAircraft({ tail_number: 'N1' });
    const scans = { hobbs: await makeScan('hobbs'), tach: await makeScan('tachometer') };
    await draft({
      startHobbsTime: '101.2',
      startTachTime: '91.4',
      startHobbsScan: String(scans.hobbs),
      startTachScan: String(scans.tach),
    });
    const meters = await page('/flight-log?step=1');
    expect(fieldsOf(meters, 'read-meters')).toMatchObject({
      startHobbsScan: String(scans.hobbs),
      startTachScan: String(scans.tach),
    });
    const review = await page('/flight-log?step=2');
    const { requestId, ...sent } = fieldsOf(review, 'review');
    expect(sent).toEqual({
      typedForm: '/flight-log#review',
      aircraftId: String(aircraftId),
      tailNumber: 'N1',
      startHobbsTime: '101.2',
      startTachTime: '91.4',
      startHobbsScan: String(scans.hobbs),
      startTachScan: String(scans.tach),
      departedAt: '',
    });
    expect(requestId).toMatch(/^[\da-f-]{36}$/);
    expect(textOf(review.$('#review button'))).toBe('Start Flight');
    expect(mainText(review)).toContain('None on the last five flights.');

    await setAircraft({ maintenance_since: new Date() });
    const grounded = await page('/flight-log?step=2');
    expect(textOf(grounded.$('.notice'))).toBe(
      'This aircraft is currently under maintenance and cannot be used for flights.',
    );
    expect(grounded.$('#review button').length).toBe(0);
    await setAircraft({ maintenance_since: null });
    await makeFlight(db, await makeUser(db, schoolId), aircraftId);
    expect(textOf((await page('/flight-log?step=2')).$('.notice'))).toBe('This aircraft is already checked out.');
  });

  it('a remark is tied to its reading, and does not repeat its error (C06, B330)', async () => {
    await setAircraft({ last_hobbs: '200' });
    await draft({ startHobbsTime: '101.2' });
    const shown = await page('/flight-log?step=1');
    expect(remarksOn(shown, 'startHobbsTime')).toEqual(['Lower than the last recorded reading (200).']);
    const flight = await makeFlight(db, pilot, aircraftId);
    const refused = await documentAfter(
      `/flight-log/${flight}/post-check`,
      { endHobbsTime: '100', endTachTime: '91' },
      cookie,
    );
    expect(remarksOn(refused, 'endHobbsTime')).toEqual(['End Hobbs time must be greater than start time']);
    expect(remarksOn(refused, 'endTachTime')).toEqual(['1.0 h since the start.']);
  });

  it('the first step lists every aircraft, disables unavailable ones, and leads to the dashboard (B141, B143, B144)', async () => {
    await setAircraft({ tail_number: 'N1' });
    await makeAircraft(db, schoolId, { tail_number: 'N2', maintenance_since: new Date() });
    await makeFlight(db, await makeUser(db, schoolId), await makeAircraft(db, schoolId, { tail_number: 'N3' }));
    const { $ } = await page('/flight-log');
    const options = $('[name="aircraftId"] option')
      .toArray()
      .map((option) => [textOf($(option)), $(option).is('[disabled]')]);
    expect(options).toEqual([
      ['Select an aircraft', false],
      ['N1 · Cessna 172S', false],
      ['N2 · Cessna 172S [Maintenance]', true],
      ['N3 · Cessna 172S [Checked Out]', true],
    ]);
    const ways = $('#select-aircraft .actions')
      .children()
      .toArray()
      .map((way) => [textOf($(way)), $(way).attr('href')]);
    expect(ways).toEqual([
      ['Next', undefined],
      ['Back', '/'],
    ]);
  });
});

describe('the check-in', () => {
  it('Enter completes the flight, though the photos stand before it (B192, B200)', async () => {
    const { $ } = await page(`/flight-log/${await makeFlight(db, pilot, aircraftId)}/post-check`);
    const buttons = $('#check-in button')
      .toArray()
      .map((button) => [textOf($(button)), $(button).attr('value')]);
    expect(buttons).toEqual([
      ['', undefined],
      ['Read photo', 'read-hobbs'],
      ['Read photo', 'read-tach'],
      ['Complete Flight', undefined],
    ]);
    expect($('.notice').length).toBe(0);
    expect(
      $('#check-in h2')
        .toArray()
        .map((heading) => textOf($(heading))),
    ).toEqual(['Final Meter Readings', 'Fuel & Oil Check', 'Instructor Details', 'Squawks']);
  });

  it('closing and cancelling say what they are for (C08, C09)', async () => {
    const boss = await cookieOf(db, await makeUser(db, schoolId, 'administrator'));
    const flight = await makeFlight(db, pilot, aircraftId);
    const why = `For a flight that is over and that ${pilot.username} has not checked in. ${pilot.username} is told by mail.`;
    expect(textOf((await documentAt(`/flight-logs/${flight}/close`, boss)).$('.screen > p'))).toBe(why);
    const never = 'Only for a flight that never took place. It leaves the flight logs, and the aircraft is free again.';
    expect(textOf((await page(`/flight-logs/${flight}/cancel`)).$('.screen > p'))).toBe(never);
  });

  it('a flight that cannot be checked in says why, and leads on where there is a way (B211, B214, C32)', async () => {
    const flight = await makeFlight(db, pilot, aircraftId, {
      ...completed('2026-05-12T14:00Z', '2026-05-12T15:00Z'),
      completed_by: pilot.id,
    });
    const open = `/flight-log/${await makeFlight(db, pilot, aircraftId)}/post-check`;
    const failed = await withoutColumn(db, 'flight_logs', 'start_tach', () => page(open));
    expect(failureOf(failed)).toEqual([
      500,
      'Failed to load flight log',
      `Try Again → ${open}`,
      'Back to Dashboard → /',
    ]);
    expect(await said(`/flight-log/${flight}/post-check`)).toEqual([
      409,
      'This flight has already been completed.',
      `View Flight Log → /flight-logs?log=${flight}`,
      'Back to Dashboard → /',
    ]);
    expect(await said('/flight-log/0/post-check')).toEqual([
      404,
      'Could not find flight log. Please try again.',
      'Back to Dashboard → /',
    ]);
  });
});

describe('what a form answers', () => {
  it('without script the focus is on the error summary, which stands before the title (B330)', async () => {
    const refused = await documentAfter('/flight-log?step=0', { aircraftId: '' }, cookie);
    const { $ } = refused;
    expect($('.error-summary h2').is('[autofocus]')).toBe(true);
    expect(textOf($('.error-summary h2'))).toBe('There is a problem');
    expect($('.error-summary, h1').first().is('.error-summary')).toBe(true);
  });

  it('a correction is saved only after what it changes was shown; Enter shows (C10, C11)', async () => {
    await setAircraft({ last_hobbs: '101.2', last_tach: '91.0' });
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const flight = await makeFlight(db, pilot, aircraftId, {
      ...completed(hoursAgo(2), hoursAgo(1)),
      completed_by: pilot.id,
    });
    const path = `/flight-logs/${flight}/correct`;
    const before = await page(path);
    expect(intentsOf(before)).toEqual([
      ['', 'preview'],
      ['Show what changes', 'preview'],
    ]);
    expect(fieldsOf(before, 'correct')).not.toHaveProperty('seen');
    const typed = {
      startHobbsTime: '100.0',
      endHobbsTime: '101.0',
      startTachTime: '90.0',
      endTachTime: '91.0',
      reason: 'Misread',
    };
    const preview = await documentAfter(path, { ...typed, intent: 'preview' }, cookie);
    expect(
      preview
        .$('main [autofocus]')
        .toArray()
        .map((heading) => textOf(preview.$(heading))),
    ).toEqual(['What changes']);
    expect(intentsOf(preview)).toEqual([
      ['', 'preview'],
      ['Save correction', 'save'],
      ['Show what changes', 'preview'],
    ]);
    expect(fieldsOf(preview, 'correct')).toMatchObject({ ...typed, seen: expect.stringMatching(/./) });
    const rows = preview
      .$('tbody tr')
      .toArray()
      .map((row) =>
        preview
          .$(row)
          .find('td')
          .toArray()
          .map((cell) => textOf(preview.$(cell))),
      );
    expect(rows).toContainEqual(['101.2', '101.0']);
  });

  it('without script the focus is on the title of the details, which names the dialog (B181)', async () => {
    const flight = await makeFlight(db, pilot, aircraftId);
    const { $ } = await page(`/flight-logs?log=${flight}`);
    expect($('dialog').is('[open]')).toBe(true);
    const heading = $(`[id="${$('dialog').attr('aria-labelledby')}"]`);
    expect([textOf(heading), heading.is('[autofocus]'), heading.attr('tabindex')]).toEqual([
      'Flight Log Details',
      true,
      '-1',
    ]);
    expect(
      $('main h2, main h3')
        .toArray()
        .map((one) => $(one).prop('tagName')),
    ).toEqual(['H2', 'H3', 'H3', 'H3']);
  });
});

async function makeScan(meter_type: 'hobbs' | 'tachometer'): Promise<number> {
  const owned = { school_id: schoolId, user_id: pilot.id };
  const picture = { ...owned, content: Buffer.from('jpeg'), width: 1, height: 1 };
  const { id: photo_id } = await db.insertInto('photos').values(picture).returning('id').executeTakeFirstOrThrow();
  const scan = { ...owned, aircraft_id: aircraftId, photo_id, meter_type, detected_text: '101.2', confidence: '0.9' };
  return (await db.insertInto('scans').values(scan).returning('id').executeTakeFirstOrThrow()).id;
}

const mainText = ({ $ }: ServedDocument) => textOf($('main'));

function fieldsOf({ $ }: ServedDocument, form: string): Record<string, string> {
  return Object.fromEntries(
    $(`#${form}`)
      .serializeArray()
      .map(({ name, value }) => [name, value]),
  );
}

function intentsOf({ $ }: ServedDocument) {
  return $('#correct button')
    .toArray()
    .map((button) => [textOf($(button)), $(button).attr('value')]);
}

/** What is said of a control, in the order in which it is read out. */
function remarksOn({ $ }: ServedDocument, name: string): string[] {
  const ids = $(`[name="${name}"]`).attr('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => textOf($(`[id="${id}"]`))).filter(Boolean);
}

const said = async (path: string) => failureOf(await page(path));

function failureOf({ status, $ }: ServedDocument) {
  return [
    status,
    textOf($('main p')),
    ...$('main a')
      .toArray()
      .map((link) => `${textOf($(link))} → ${$(link).attr('href')}`),
  ];
}
