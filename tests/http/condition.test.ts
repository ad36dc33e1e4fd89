import { beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#db/roles.ts';
import type { NewRow } from '#db/tables.ts';
import { insert, makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makePeople, makeSchool, makeSquawk } from '#tests/support/school.ts';
import { cookiesOf, getRequest, handleRequest, jsonRequest } from '#tests/support/ask.ts';
import { documentAfter, documentAt, nightly, textOf, textsOf } from '#tests/support/pages.ts';
import { cleanUp } from '#app/background/recurring-jobs.server.ts';

const { db } = await testDatabase();
const ended = { endHobbsTime: '101.2', endTachTime: '91.0' };
const readings = { startHobbsTime: '100.0', startTachTime: '90.0' };

let schoolId: number, people: Record<Role, Member>, cookies: Record<Role, string>, aircraftId: number;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  people = await makePeople(db, schoolId);
  cookies = await cookiesOf(db, people);
  aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N2287V', last_hobbs: '100.0', last_tach: '90.0' });
});

const insertSquawk = (columns: Partial<NewRow<'squawks'>>) =>
  makeSquawk(db, people.student, aircraftId, { text: 'Brake soft', ...columns });
const insertInspection = () =>
  insert(db, 'inspections', { school_id: schoolId, aircraft_id: aircraftId, name: '100 h', due_tach: '88.8' });
const over = { state: 'deferred', until_tach: '61.5' } as const;
const MAKE = {
  unsafe: () => insertSquawk({ unsafe: true }),
  overdue: insertInspection,
  deferral_over: () => insertSquawk(over),
};

const get = (path: string) => answerTo(getRequest(path, cookies.student));
const call = (method: 'POST' | 'PATCH', path: string, body: object, as: Role = 'student') =>
  answerTo(jsonRequest(method, path, body, cookies[as]));
const answerTo = async (request: Request) => {
  const answer = await handleRequest(request);
  const text = await answer.text();
  return { status: answer.status, body: answer.ok ? JSON.parse(text) : text };
};
const chooseAircraft = () => documentAfter('/flight-log?step=0', { aircraftId: String(aircraftId) }, cookies.student);
const start = (fields: Record<string, string> = {}, path = '/flight-log?step=2') =>
  documentAfter(path, { aircraftId: String(aircraftId), ...readings, ...fields }, cookies.student);
const mails = () => db.selectFrom('mail_outbox').selectAll().where('school_id', '=', schoolId).orderBy('id').execute();

describe.each([
  ['unsafe', 'Unsafe to fly'],
  ['deferral_over', 'Deferral over'],
] as const)('an aircraft of the condition %s', (kind, badge) => {
  beforeEach(async () => {
    await MAKE[kind]();
  });

  it(`has the red badge '${badge}' on dashboard and fleet, and is 'Available' nowhere (B353, C94)`, async () => {
    for (const path of ['/', '/airplanes']) {
      const { $ } = await documentAt(path, cookies.student);
      expect(textsOf($, 'main .badge[data-tone="maintenance"]')).toContain(badge);
      expect(textOf($('main'))).not.toContain('Available');
      expect($('main [data-tone="available"]').length).toBe(0);
    }
  });

  it('is said in selects, offline form, jump box, review and API, and can be chosen (B353, B354, B355, C94)', async () => {
    for (const path of ['/flight-log?step=0', '/flight-log/offline']) {
      const { $ } = await documentAt(path, cookies.student);
      const option = $(`select option[value="${aircraftId}"]`);
      expect([textOf(option), option.attr('disabled')]).toEqual([`N2287V [${badge}] · Cessna 172S`, undefined]);
    }
    expect((await chooseAircraft()).status).toBe(303);
    const step = await documentAt('/flight-log?step=1', cookies.student);
    expect(textOf(step.$('.card-header .badge'))).toBe(badge);
    const { body: places } = await get('/jump?q=2287');
    expect(JSON.stringify(places)).toContain(`N2287V [${badge}], Cessna 172S`);
    const next = { aircraftId: String(aircraftId), ...readings, intent: 'next' };
    await documentAfter('/flight-log?step=1', next, cookies.student);
    const review = await documentAt('/flight-log?step=2', cookies.student);
    expect(textOf(review.$('dd .badge'))).toBe(badge);
    for (const path of ['/api/aircraft', '/api/aircraft?limit=1', `/api/aircraft/${aircraftId}`]) {
      const aircraft = [(await get(path)).body].flat()[0];
      expect(aircraft).toMatchObject({ status: null, condition: kind, conditions: [{ kind }] });
    }
  });
});

it('stands first on the fleet, the gravest before others, and after free ones where one is chosen to fly (B1637)', async () => {
  await makeAircraft(db, schoolId, { tail_number: 'N1' });
  await makeAircraft(db, schoolId, { tail_number: 'N2', maintenance_since: new Date() });
  await makeFlight(db, people.instructor, await makeAircraft(db, schoolId, { tail_number: 'N3' }));
  await insertSquawk(over);
  for (const [tail_number, make] of [
    ['N4', MAKE.overdue],
    ['N5', MAKE.unsafe],
    ['N6', MAKE.unsafe],
  ] as const) {
    aircraftId = await makeAircraft(db, schoolId, { tail_number, last_tach: '90.0' });
    await make();
  }
  await makeFlight(db, people.administrator, aircraftId);
  aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N7', last_tach: '86.0' });
  await insertInspection();
  const tailsOf = async (path: string, elements: string) => {
    const { $ } = await documentAt(path, cookies.student);
    return $(elements)
      .toArray()
      .map((one) => textOf($(one)).split(' ')[0]);
  };
  expect(await tailsOf('/airplanes', 'main h2')).toEqual(['N5', 'N6', 'N4', 'N2287V', 'N2', 'N3', 'N7', 'N1']);
  for (const path of ['/flight-log', '/flight-log/offline'])
    expect(await tailsOf(path, 'select[name=aircraftId] option')).toEqual([
      'Select',
      'N1',
      'N7',
      'N2287V',
      'N4',
      'N5',
      'N2',
      'N3',
      'N6',
    ]);
  expect(await tailsOf('/line', '.flight-line-tail')).toEqual(['N5', 'N4', 'N2287V', 'N6', 'N3', 'N7', 'N1', 'N2']);
  expect((await get('/api/aircraft')).body.map(({ tailNumber }: { tailNumber: string }) => tailNumber)).toEqual([
    'N1',
    'N2',
    'N2287V',
    'N3',
    'N4',
    'N5',
    'N6',
    'N7',
  ]);
});

it('the line has first what needs somebody, the gravest before others, and counts them apart (B352, C94)', async () => {
  await makeAircraft(db, schoolId, { tail_number: 'N0' });
  await makeFlight(db, people.instructor, await makeAircraft(db, schoolId, { tail_number: 'N9' }));
  await insertSquawk(over);
  for (const [tail_number, make] of [
    ['N3', MAKE.unsafe],
    ['N4', MAKE.overdue],
  ] as const) {
    aircraftId = await makeAircraft(db, schoolId, { tail_number, last_tach: '90.0' });
    await make();
  }
  const { $ } = await documentAt('/line', cookies.student);
  const tails = textsOf($, '.flight-line-tail');
  expect(tails).toEqual(['N3', 'N4', 'N2287V', 'N9', 'N0']);
  expect(textOf($('.flight-line-head p').first())).toBe('1 out · 3 need attention · 1 available · 0 in maintenance');
});

nightly('the line counts an ended deferral, says how long, and what is out and unsafe (B351, B353, C98)', async () => {
  await insertSquawk({});
  await insertSquawk({ state: 'deferred', until_tach: '90.0' });
  await insertSquawk(over);
  const { $ } = await documentAt('/line', cookies.student);
  const facts = textOf($('.flight-line-facts'));
  expect(facts).toContain('2 squawks');
  expect(facts).toContain('Deferral over by 28.5 h');
  await makeFlight(db, people.instructor, aircraftId);
  await insertSquawk({ unsafe: true });
  const line = await documentAt('/line', cookies.student);
  expect([textOf(line.$('.flight-line-rows .badge')), textOf(line.$('[data-overdue]').first())]).toEqual([
    'Checked Out',
    'Unsafe to fly',
  ]);
  const fleet = await documentAt('/airplanes', cookies.student);
  expect(textOf(fleet.$('.card-header .badge-list'))).toMatch(/^Checked Out ?Unsafe to fly$/);
});

describe('a deferral that is over', () => {
  it('stands in red with its squawk, in the API, too, which it does not hinder (B351, B356, C94, C98)', async () => {
    const id = await insertSquawk(over);
    for (const path of [`/airplanes/${aircraftId}`, `/squawks/${id}`]) {
      const { $ } = await documentAt(path, cookies.administrator);
      expect(textOf($('main [data-tone="maintenance"]').last())).toBe('Deferral over by 28.5 h');
    }
    expect((await get('/api/squawks')).body).toMatchObject([
      { state: 'deferred', until: { tach: '61.5' }, deferralOver: 'Deferral over by 28.5 h' },
    ]);
    const { status, body } = await call('POST', '/api/flight-logs', { aircraftId, ...readings });
    expect([status, body.deferralsOver]).toEqual([201, [{ id, name: 'Brake soft', text: 'Deferral over by 28.5 h' }]]);
  });

  it('asks the check-out for a tick that names it, once, and never refuses; the flight keeps it (B356, C94)', async () => {
    const own = aircraftId;
    aircraftId = await makeAircraft(db, schoolId, { last_hobbs: '100.0', last_tach: '90.0' });
    await insertSquawk({ ...over, unsafe: true });
    const { $ } = await start();
    expect([$('[name=unsafeRead]').length, $('[name=deferralsRead]').length]).toEqual([1, 0]);
    aircraftId = own;
    const id = await insertSquawk(over);
    const refused = await start();
    expect([refused.status, textOf(refused.$('.error'))]).toEqual([
      400,
      'Please read which deferrals are over and tick the box.',
    ]);
    expect(textOf(refused.$('label[for="review-deferralsRead"]'))).toBe(
      'I know which deferrals are over: “Brake soft” (Deferral over by 28.5 h)',
    );
    expect(refused.$('input[name=deferralIds]').val()).toBe(String(id));
    await insertSquawk({ ...over, text: 'Radio' });
    expect((await start({ deferralIds: String(id), deferralsRead: 'on' })).status).toBe(400);
    const both = String((await start()).$('input[name=deferralIds]').val());
    expect((await start({ deferralIds: both, deferralsRead: 'on' })).status).toBe(303);
    const { body } = await get('/api/flight-logs');
    expect(body[0].deferralsOver).toContainEqual({ id, name: 'Brake soft', text: 'Deferral over by 28.5 h' });
    const flight = await documentAt(`/flight-logs/${body[0].id}`, cookies.administrator);
    expect(textOf(flight.$('main'))).toContain('Deferral over at the start: Brake soft (Deferral over by 28.5 h)');
  });

  it('is over until it is deferred anew, fixed or withdrawn (B351, C98)', async () => {
    const id = await insertSquawk(over);
    const change = (body: object) => call('PATCH', `/api/squawks/${id}`, body, 'administrator');
    const condition = async () => (await get(`/api/aircraft/${aircraftId}`)).body.condition;
    expect(await condition()).toBe('deferral_over');
    expect((await change({ state: 'deferred' })).status).toBe(400);
    expect((await change({ state: 'deferred', until: { tach: '95' } })).body.deferralOver).toBeNull();
    expect(await condition()).toBeNull();
    for (const end of [{ state: 'fixed', remark: 'New pads' }, { state: 'withdrawn' }]) {
      await change({ state: 'open', remark: 'Soft again' });
      await change({ state: 'deferred', until: { tach: '80' } });
      expect(await condition()).toBe('deferral_over');
      await change(end);
      expect(await condition()).toBeNull();
    }
  });

  it('is mailed once to administrators, again after a new deferral, and not of a removed aircraft (B357, C98)', async () => {
    const id = await insertSquawk(over);
    await insertInspection();
    await cleanUp(db);
    await cleanUp(db);
    expect(await mails()).toMatchObject([
      { to_address: people.administrator.email, subject: 'N2287V has something overdue' },
    ]);
    expect((await mails())[0]?.body_text).toContain('Brake soft: Deferral over by 28.5 h');
    expect((await mails())[0]?.body_text).toContain('100 h: Overdue by 1.2 h');
    const anew = { state: 'deferred', until: { tach: '90.5' } };
    await call('PATCH', `/api/squawks/${id}`, anew, 'administrator');
    const flight = await makeFlight(db, people.student, aircraftId);
    await call('POST', `/api/flight-logs/${flight}/complete`, { endHobbsTime: '101.2', endTachTime: '91.2' });
    await cleanUp(db);
    expect((await mails()).map(({ body_text }) => body_text.includes('Brake soft: Deferral over by 0.7 h'))).toEqual([
      false,
      true,
    ]);
    await db.updateTable('aircraft').set({ deleted_at: new Date() }).where('id', '=', aircraftId).execute();
    await insertSquawk(over);
    await cleanUp(db);
    expect(await mails()).toHaveLength(2);
  });
});

it('the form without a network keeps what each tick names, to be read before a reading is typed (B354, C92, C94)', async () => {
  const squawk = await insertSquawk(over);
  await insertSquawk({ unsafe: true, text: 'Smoke' });
  await insertInspection();
  const page = await documentAt('/flight-log/offline', cookies.student);
  const kept = page.$('script').text();
  for (const text of ['Brake soft', 'Deferral over by 28.5 h', 'Smoke', '100 h', 'Overdue by 1.2 h']) {
    expect(kept).toContain(text);
  }
  const refused = await start({}, '/flight-log/offline');
  const label = refused.$('label[for="check-out-deferralsRead"]');
  expect(textOf(label)).toBe('I know which deferrals are over: “Brake soft” (Deferral over by 28.5 h)');
  const form = textOf(refused.$('main form'));
  expect(form.indexOf('Smoke')).toBeLessThan(form.indexOf('Hobbs Time'));
  const ids = (name: string) => String(refused.$(`input[name=${name}]`).val());
  expect(ids('deferralIds')).toBe(String(squawk));
  const ticks = { unsafeRead: 'on', overdueRead: 'on', deferralsRead: 'on' };
  const named = Object.fromEntries(['unsafeIds', 'overdueIds', 'deferralIds'].map((name) => [name, ids(name)]));
  expect((await start({ ...ticks, ...named }, '/flight-log/offline')).status).toBe(303);
});

it('search, offline form and details of its flights say the status and what is grave beside it (B1692, C94)', async () => {
  await insertSquawk({ unsafe: true });
  const id = await makeFlight(db, people.instructor, aircraftId);
  const said = async () => {
    const search = await documentAt('/search?q=2287', cookies.student);
    const offline = await documentAt('/flight-log/offline', cookies.student);
    const details = [`/flight-logs/${id}`, `/flight-logs?log=${id}`].map(async (path) => {
      const { $ } = await documentAt(path, cookies.student);
      return textOf($('.flight-facts dd').first());
    });
    return [
      textOf(search.$('.place-list a')),
      textOf(offline.$('select option').last()),
      ...(await Promise.all(details)),
    ];
  };
  const name = 'N2287V, Cessna 172S now';
  expect(await said()).toEqual([
    'N2287V [Checked Out] [Unsafe to fly], Cessna 172S',
    'N2287V [Unsafe to fly] · Cessna 172S [Checked Out when last asked]',
    ...[`${name} Checked OutUnsafe to fly`, `${name} Checked OutUnsafe to fly`],
  ]);
  await call('POST', `/api/flight-logs/${id}/close`, { ...ended, reason: 'Left' }, 'administrator');
  await db.updateTable('aircraft').set({ maintenance_since: new Date() }).where('id', '=', aircraftId).execute();
  expect(await said()).toEqual([
    'N2287V [Maintenance] [Unsafe to fly], Cessna 172S',
    'N2287V [Unsafe to fly] · Cessna 172S [Maintenance when last asked]',
    ...[`${name} In MaintenanceUnsafe to fly`, `${name} In MaintenanceUnsafe to fly`],
  ]);
});

it('lists an aircraft as changed once a squawk of it has changed (B355, C94)', async () => {
  const since = new Date(Date.now() + 1).toISOString();
  const changed = async () => (await get(`/api/aircraft?since=${since}`)).body.length;
  expect(await changed()).toBe(0);
  const { body } = await call('POST', '/api/squawks', { aircraftId, text: 'Smoke', unsafe: true });
  expect([body.state, await changed()]).toEqual(['open', 1]);
});
