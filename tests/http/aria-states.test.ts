import { describe, expect, it } from 'vitest';
import { saveDraft } from '#app/domain/drafts.server.ts';
import { createLinkToken } from '#app/domain/link-tokens.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAfter, documentAt, type ServedDocument, textOf } from '#tests/support/documents.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { cookiesOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);
const ada = await makeUser(db, schoolId, 'administrator', 'ada');
const sam = await makeUser(db, schoolId, 'student', 'sam');
const cookies = { ...(await cookiesOf(db, { ada, sam })), nobody: '' };
const aircraft = await makeAircraft(db, schoolId, { last_hobbs: '200', last_tach: '200' });
const readings = { aircraftId: String(aircraft), startHobbsTime: '101.2', startTachTime: '91' };
await saveDraft(db, ada, 'check-out', Object.entries(readings));

/** What stands in braces in a path. */
const named: Record<string, string | number> = {
  open: await makeFlight(db, sam, await makeAircraft(db, schoolId)),
  flown: await makeFlight(db, sam, aircraft, {
    ...completed('2026-05-12T14:00Z', '2026-05-12T15:00Z'),
    completed_by: sam.id,
  }),
  invited: (await makeInvitation(db, ada)).token,
  reset: await makePasswordLink(),
  lower: await makeLowerScan(),
};

interface FormCase {
  id: string;
  path: string;
  as: keyof typeof cookies;
  /** Labels by field: those that must be filled in, and the others. */
  required: Record<string, string>;
  optional?: Record<string, string>;
  /** Typed over what the page offers. */
  typed: Record<string, string>;
  /** By field, in the order of the summary. */
  errors: Record<string, string>;
}

const REASON = 'Please give a reason';
const SHORT = 'Password must be at least 6 characters';
const NO_SCAN = 'Please select an aircraft and image';

const FORMS: FormCase[] = [
  {
    id: 'login',
    path: '/login',
    as: 'nobody',
    required: { username: 'Username', password: 'Password' },
    optional: { sharedComputer: 'This is a shared computer' },
    typed: { username: '', password: 'pw-12' },
    errors: { username: 'Username is required' },
  },
  {
    id: 'registration',
    path: '/register?token={invited}',
    as: 'nobody',
    required: { username: 'Username', password: 'Password', confirmPassword: 'Confirm Password' },
    typed: { username: 'zoe', password: 'pw-12', confirmPassword: 'pw-13' },
    errors: { password: SHORT, confirmPassword: 'Passwords do not match' },
  },
  {
    id: 'new-password',
    path: '/reset-password?token={reset}',
    as: 'nobody',
    required: { password: 'Password', confirmPassword: 'Confirm Password' },
    typed: { password: 'pw-12', confirmPassword: '' },
    errors: { password: SHORT, confirmPassword: 'Please confirm your password' },
  },
  {
    id: 'aircraft',
    path: '/airplanes/add',
    as: 'ada',
    required: { tailNumber: 'Tail Number', make: 'Make', model: 'Model', year: 'Year' },
    typed: { tailNumber: 'N1', make: '', model: '', year: '99' },
    errors: { make: 'Make is required', model: 'Model is required', year: 'Must be a valid year' },
  },
  {
    id: 'user',
    path: '/users/add',
    as: 'ada',
    required: { username: 'Username', email: 'Email', password: 'Password', role: 'Role' },
    typed: { username: '', email: 'zoe@', password: 'pw-12', role: 'instructor' },
    errors: { username: 'Username is required', email: 'Must be a valid email', password: SHORT },
  },
  {
    id: 'invitation',
    path: '/users/invitations',
    as: 'ada',
    required: { name: 'Name', email: 'Email', role: 'Role' },
    typed: { name: '', email: 'zoe@', role: 'administrator' },
    errors: { name: 'Name is required', email: 'Invalid email address' },
  },
  {
    id: 'school',
    path: '/school-settings',
    as: 'ada',
    required: { name: 'School Name', address: 'Address', phone: 'Phone Number' },
    optional: { timeZone: 'Time Zone' },
    typed: { name: '', address: '2 Field Road', phone: '' },
    errors: { name: 'School name is required', phone: 'Phone number is required' },
  },
  {
    id: 'scan',
    path: '/ocr',
    as: 'sam',
    required: { aircraftId: 'Aircraft', image: 'Photo of the meter' },
    typed: { meterType: 'tachometer' },
    errors: { aircraftId: NO_SCAN, image: NO_SCAN },
  },
  {
    id: 'save-reading',
    path: '/ocr/{lower}/save',
    as: 'ada',
    required: { reason: 'Reason' },
    typed: { reason: ' ' },
    errors: { reason: 'Lower than the last recorded reading (200). Please give a reason.' },
  },
  {
    id: 'select-aircraft',
    path: '/flight-log',
    as: 'ada',
    required: { aircraftId: 'Aircraft' },
    typed: { aircraftId: '' },
    errors: { aircraftId: 'Please select an aircraft' },
  },
  {
    id: 'read-meters',
    path: '/flight-log?step=1',
    as: 'ada',
    required: { startHobbsTime: 'Hobbs Time', startTachTime: 'Tach Time' },
    optional: { startHobbsPhoto: 'Photo of the Hobbs meter', startTachPhoto: 'Photo of the tachometer' },
    typed: { startHobbsTime: '12h34', startTachTime: '91' },
    errors: { startHobbsTime: 'Hobbs time must be a number' },
  },
  {
    id: 'review',
    path: '/flight-log?step=2',
    as: 'ada',
    required: { readAgain: 'I have read the meter again' },
    typed: {},
    errors: { readAgain: 'Please read the meter again and tick the box.' },
  },
  {
    id: 'close',
    path: '/flight-logs/{open}/close',
    as: 'ada',
    required: { endHobbsTime: 'End Hobbs Time', endTachTime: 'End Tach Time', reason: 'Reason' },
    typed: { endHobbsTime: '101.2', endTachTime: 'x', reason: '' },
    errors: { endTachTime: 'End Tach time must be a number', reason: REASON },
  },
  {
    id: 'cancel',
    path: '/flight-logs/{open}/cancel',
    as: 'sam',
    required: { reason: 'Why did it not take place?' },
    typed: { reason: ' ' },
    errors: { reason: REASON },
  },
  {
    id: 'past-flight',
    path: '/flight-logs/new',
    as: 'ada',
    required: {
      aircraftId: 'Aircraft',
      pilotId: 'Pilot',
      departedAt: 'The flight departed at',
      landedAt: 'The flight ended at',
      startHobbsTime: 'Start Hobbs',
      endHobbsTime: 'End Hobbs',
      startTachTime: 'Start Tach',
      endTachTime: 'End Tach',
      reason: 'Reason',
    },
    typed: { endTachTime: 'x', reason: '' },
    errors: {
      aircraftId: 'Please select an aircraft',
      pilotId: 'Please select a pilot',
      departedAt: 'Please give a date and a time',
      landedAt: 'Please give a date and a time',
      startHobbsTime: 'Hobbs time is required',
      endHobbsTime: 'End Hobbs time is required',
      startTachTime: 'Tach time is required',
      endTachTime: 'End Tach time must be a number',
      reason: REASON,
    },
  },
  {
    id: 'correct',
    path: '/flight-logs/{flown}/correct',
    as: 'ada',
    required: {
      startHobbsTime: 'Start Hobbs',
      endHobbsTime: 'End Hobbs',
      startTachTime: 'Start Tach',
      endTachTime: 'End Tach',
      reason: 'Reason',
    },
    typed: { endHobbsTime: '', startTachTime: 'x', reason: 'Misread' },
    errors: { endHobbsTime: 'End Hobbs time is required', startTachTime: 'Tach time must be a number' },
  },
  {
    id: 'check-in',
    path: '/flight-log/{open}/post-check',
    as: 'sam',
    required: { endHobbsTime: 'End Hobbs Time', endTachTime: 'End Tach Time' },
    optional: {
      endHobbsPhoto: 'Photo of the Hobbs meter',
      endTachPhoto: 'Photo of the tachometer',
      refueled: 'Refueled',
      fuelReceiptImage: 'Fuel receipt photo (optional)',
      fuelNotes: 'Fuel notes (optional)',
      oilAdded: 'Oil Added',
      oilQuantity: 'Oil Quantity (Quarts)',
      instructorId: 'Instructor (Optional)',
      instructorTimeIn: 'Instructor Time In',
      instructorTimeOut: 'Time Out',
      groundSchoolTime: 'Ground School Time (Optional)',
      notes: 'Notes',
    },
    typed: {
      endHobbsTime: '',
      endTachTime: '91.4',
      oilAdded: 'on',
      oilQuantity: '-1',
      notes: 'Flat tire',
      groundSchoolTime: '0.75',
    },
    errors: { endHobbsTime: 'End Hobbs time is required', oilQuantity: 'Oil quantity must be 0 or more' },
  },
];

describe('a form', () => {
  it.each(FORMS)(
    'B330: $id labels every field, says which must be filled in and what is meant, and starts without an error',
    async (form) => {
      const page = await documentAt(addressOf(form.path), cookies[form.as]);
      const { $ } = page;
      const controls = controlsOf(page, form.id)
        .not('[type="radio"]')
        .toArray()
        .map((control) => $(control));
      const labels = controls.map((control) => [control.attr('name'), textOf($(`label[for="${control.attr('id')}"]`))]);
      expect(Object.fromEntries(labels)).toMatchObject({ ...form.required, ...form.optional });
      for (const [name, label] of labels) expect([name, label]).toEqual([name, expect.stringMatching(/\w/)]);
      const required = controls
        .filter((control) => control.attr('aria-required') === 'true')
        .map((control) => control.attr('name'));
      expect(required.toSorted()).toEqual(Object.keys(form.required).toSorted());
      expect($('[aria-invalid], [data-invalid], .error, .error-summary, [required]').length).toBe(0);
      const described = controls.flatMap((control) => control.attr('aria-describedby')?.split(' ') ?? []);
      expect(described.toSorted()).toEqual(
        $(`#${form.id}`)
          .find('.hint[id], .inline-note[id]')
          .toArray()
          .map((hint) => $(hint).attr('id'))
          .toSorted(),
      );
    },
  );

  it.each(FORMS)(
    'B330: $id marks each wrong field as invalid, ties its error to it, leads there from the summary, and keeps all that was typed but passwords',
    async (form) => {
      const page = await submit(form);
      const { $ } = page;
      expect(page.status).toBe(400);
      const marked = $('[aria-invalid="true"]')
        .toArray()
        .map((control) => $(control));
      const said = marked.map((control) => [
        control.attr('name'),
        descriptionsOf(page, control.attr('aria-describedby')).find(
          (text) => text === form.errors[String(control.attr('name'))],
        ),
      ]);
      expect(Object.fromEntries(said)).toEqual(form.errors);

      const links = $('.error-summary li a')
        .toArray()
        .map((link) => [$(`[id="${$(link).attr('href')?.slice(1)}"]`).attr('name'), textOf($(link))]);
      // What is said of two fields at once leads to the first of them.
      const once = Object.entries(form.errors).filter(
        ([, text], index, all) => all.findIndex(([, other]) => other === text) === index,
      );
      expect(links).toEqual(once);

      expect($.html()).not.toContain('pw-1');
      const kept = new Map(
        controlsOf(page, form.id)
          .serializeArray()
          .map(({ name, value }) => [name, value]),
      );
      for (const [name, value] of Object.entries(form.typed)) {
        expect.soft([name, kept.get(name)?.trim()]).toEqual([name, /password/i.test(name) ? '' : value.trim()]);
      }
    },
  );
});

describe('a group of choices', () => {
  it('B119 B330: a choice that is none is told beside the group, and the summary leads to its first choice', async () => {
    const { $ } = await documentAfter(
      '/ocr?index',
      { aircraftId: String(aircraft), meterType: 'altimeter' },
      cookies.sam,
    );
    const described = $('fieldset').attr('aria-describedby');
    expect([$('fieldset').is('[data-invalid]'), textOf($(`[id="${described}"]`))]).toEqual([
      true,
      'Invalid meter type',
    ]);
    const link = $('.error-summary li a').filter((_, one) => textOf($(one)) === 'Invalid meter type');
    expect($(`[id="${link.attr('href')?.slice(1)}"]`).attr('value')).toBe('hobbs');
  });
});

/** The page after the form is sent as a browser would send it. */
async function submit({ id, path, as, typed }: FormCase): Promise<ServedDocument> {
  const { $ } = await documentAt(addressOf(path), cookies[as]);
  const offered = $(`form#${id}`)
    .serializeArray()
    .map(({ name, value }) => [name, value]);
  return documentAfter($(`form#${id}`).attr('action') ?? '', { ...Object.fromEntries(offered), ...typed }, cookies[as]);
}

function controlsOf({ $ }: ServedDocument, id: string) {
  return $(`form#${id}`).find('input, select, textarea').not('[type="hidden"], [aria-hidden="true"] *');
}

/** What stands at each id; every id must be there. */
function descriptionsOf({ $ }: ServedDocument, ids = ''): string[] {
  return ids.split(' ').map((id) => {
    expect($(`[id="${id}"]`).length, id).toBe(1);
    return textOf($(`[id="${id}"]`));
  });
}

function addressOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => String(named[name]));
}

async function makePasswordLink(): Promise<string> {
  const { token, hash } = createLinkToken();
  const link = { school_id: schoolId, user_id: sam.id, token_hash: hash, expires_at: new Date(Date.now() + 60_000) };
  await db.insertInto('password_links').values(link).execute();
  return token;
}

async function makeLowerScan(): Promise<number> {
  const owned = { school_id: schoolId, user_id: ada.id };
  const photo = await db
    .insertInto('photos')
    .values({ ...owned, content: Buffer.from('jpeg'), width: 1, height: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const read = { aircraft_id: aircraft, photo_id: photo.id, meter_type: 'hobbs', detected_text: '101.2' } as const;
  const scan = await db
    .insertInto('scans')
    .values({ ...owned, ...read, confidence: '0.9' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return scan.id;
}
