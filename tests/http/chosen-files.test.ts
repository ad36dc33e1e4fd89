import { beforeEach, expect, it } from 'vitest';
import { load } from 'cheerio/slim';
import type { Role } from '#db/roles.ts';
import { makeAircraft, makeFlight, makePeople, makeSchool, type Member, testDatabase } from '#tests/support/makers.ts';
import { expireSessions } from '#tests/support/sessions.ts';
import { cookiesOf, getRequest, handleRequest } from '#tests/support/ask.ts';
import { documentAt, type ServedDocument, textOf } from '#tests/support/documents.ts';
import { drawBlankPhoto } from '#tests/support/pictures.ts';

const { db } = await testDatabase();
const photo = new Uint8Array(await drawBlankPhoto());

let people: Record<Role, Member>, cookies: Record<Role, string>, aircraftId: number;

beforeEach(async () => {
  const schoolId = await makeSchool(db);
  people = await makePeople(db, schoolId);
  cookies = await cookiesOf(db, people);
  aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N512FL', last_hobbs: '100.0', last_tach: '90.0' });
});

/** Posts a form whose file fields hold photos of these names. */
function post(path: string, fields: Record<string, string>, files: Record<string, string[]>, as: Role = 'student') {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  for (const [name, names] of Object.entries(files)) {
    for (const fileName of names) body.append(name, new File([photo], fileName, { type: 'image/jpeg' }));
  }
  const request = getRequest(path, cookies[as], { 'sec-fetch-site': 'same-origin' });
  return handleRequest(new Request(request, { method: 'POST', body }));
}

async function refusedPage(...posted: Parameters<typeof post>): Promise<Pick<ServedDocument, '$'>> {
  const answer = await post(...posted);
  expect(answer.status).toBe(400);
  return { $: load(await answer.text()) };
}

/** What stands beside the file field and is part of its description. */
function wordsBeside({ $ }: Pick<ServedDocument, '$'>, field: string): string[] {
  const ids = $(`input[type=file][name=${field}]`).attr('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => textOf($(`[id="${id}"]`))).filter((text) => text.startsWith('Not kept'));
}

const again = (names: string) => [`Not kept, please choose again: ${names}`];

it('a form says which of its files are to be chosen again, until others are (B1430, B1474)', async () => {
  const path = `/airplanes/${aircraftId}/squawks/add`;
  expect(wordsBeside(await documentAt(path, cookies.student), 'photos')).toEqual([]);
  expect(wordsBeside(await refusedPage(path, {}, {}), 'photos')).toEqual([]);
  const fieldsOf = ({ $ }: Pick<ServedDocument, '$'>) => {
    const hidden = $('main form input[name$=NotKept]').toArray();
    return Object.fromEntries(hidden.map((input) => [String($(input).attr('name')), String($(input).attr('value'))]));
  };
  const first = await refusedPage(path, {}, { photos: ['tyre.jpg', 'hub.jpg'] });
  expect(wordsBeside(first, 'photos')).toEqual(again('tyre.jpg, hub.jpg'));
  const second = await refusedPage(path, fieldsOf(first), {});
  expect(wordsBeside(second, 'photos')).toEqual(again('tyre.jpg, hub.jpg'));
  const third = await refusedPage(path, fieldsOf(second), { photos: ['rim.jpg'] });
  expect(wordsBeside(third, 'photos')).toEqual(again('rim.jpg'));
});

it('a refused check-in, close on behalf, scan, import and check-out without a network say it, too (B1430)', async () => {
  const form = await refusedPage('/flight-log/offline', {}, { startHobbsPhoto: ['hobbs.jpg'] });
  expect(wordsBeside(form, 'startHobbsPhoto')).toEqual(again('hobbs.jpg'));
  const id = await makeFlight(db, people.student, aircraftId);
  const fields = { endHobbsTime: 'x', endTachTime: '91.0', refueled: 'on' };
  const files = { squawkPhotos: ['tyre.jpg'], fuelReceiptImage: ['bill.jpg'] };
  for (const [path, as] of [
    [`/flight-log/${id}/post-check`, 'student'],
    [`/flight-logs/${id}/close`, 'administrator'],
  ] as const) {
    const page = await refusedPage(path, fields, files, as);
    expect(wordsBeside(page, 'squawkPhotos')).toEqual(again('tyre.jpg'));
    expect(wordsBeside(page, 'fuelReceiptImage')).toEqual(again('bill.jpg'));
  }
  const scan = await refusedPage('/ocr', { meterType: 'hobbs' }, { image: ['meter.jpg'] });
  expect(wordsBeside(scan, 'image')).toEqual(again('meter.jpg'));
  const file = await refusedPage('/school-settings/import', { kind: '' }, { file: ['fleet.csv'] }, 'administrator');
  expect(wordsBeside(file, 'file')).toEqual(again('fleet.csv'));
});

it("'Use' of another reading keeps the check-in but not its photos, and says so until it is sent (B1430)", async () => {
  const path = `/flight-log/${await makeFlight(db, people.student, aircraftId)}/post-check`;
  const fields = { typedForm: `${path}#check-in`, endHobbsTime: '101.0', endTachTime: '91.0' };
  const files = { squawkPhotos: ['tyre.jpg'], endTachPhoto: ['tach.jpg'] };
  const kept = await post(path, { ...fields, intent: 'use-other-hobbs' }, files);
  expect(kept.status).toBe(303);
  const page = await documentAt(path, cookies.student);
  expect(wordsBeside(page, 'squawkPhotos')).toEqual(again('tyre.jpg'));
  expect(wordsBeside(page, 'endTachPhoto')).toEqual(again('tach.jpg'));
  expect((await post(path, fields, {})).status).toBe(303);
});

it('the check-out says it of the photo of the other meter, on the way back too (B1430)', async () => {
  const readings = { aircraftId: String(aircraftId), startHobbsTime: '100.0', startTachTime: '90.0' };
  const files = { startTachPhoto: ['tach.jpg'] };
  for (const intent of ['use-other-hobbs', 'use-last-hobbs', 'back']) {
    expect((await post('/flight-log?step=1', { ...readings, intent }, files)).status).toBe(303);
    expect(wordsBeside(await documentAt('/flight-log?step=1', cookies.student), 'startTachPhoto')).toEqual(
      again('tach.jpg'),
    );
  }
  expect((await post('/flight-log?step=1', { ...readings, intent: 'next' }, files)).status).toBe(303);
  expect(wordsBeside(await documentAt('/flight-log?step=1', cookies.student), 'startTachPhoto')).toEqual([]);
});

it('a form that was sent after the session had ended says it after the sign-in (B1430)', async () => {
  const path = `/airplanes/${aircraftId}/squawks/add`;
  await expireSessions(db, people.student);
  const answer = await post(path, { typedForm: `${path}#squawk`, text: 'Flat tyre' }, { photos: ['tyre.jpg'] });
  expect(answer.headers.get('location')).toContain('/login');
  cookies = await cookiesOf(db, people);
  const page = await documentAt(path, cookies.student);
  expect(textOf(page.$('textarea'))).toBe('Flat tyre');
  expect(wordsBeside(page, 'photos')).toEqual(again('tyre.jpg'));
});
