import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { ageProof, makeSchool, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { cookieOf, errorTextOf, formRequest, getRequest, jsonRequest, toastAfter } from '#tests/support/ask.ts';
import { answerTo } from '#tests/support/routes.ts';
import { documentAfter, documentAt, nightly, textOf, textsOf } from '#tests/support/pages.ts';
import { uploadImport } from '#app/domain/imports/upload-import.server.ts';
import { webhookTexts } from '#app/domain/webhooks/schema.server.ts';
import { openSecret } from '#app/domain/webhooks/queries.server.ts';
import { MAX_WEBHOOKS } from '#app/limits.ts';
import { bearerOf } from '#tests/support/access-tokens.ts';
import { type Receiver, startReceiver, verify } from '#tests/support/receiver.ts';
import { deliverAllDue, insertDelivery, insertWebhook, WEBHOOK_SECRET } from '#tests/support/webhooks.ts';

const { db } = await testDatabase();

let schoolId: number, admin: Member, cookie: string;
beforeEach(async () => {
  await db.deleteFrom('webhook_deliveries').execute();
  schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  cookie = await cookieOf(db, admin);
});

const URL = 'https://receiver.example/events';
const ADD = '/school-settings/webhooks/add';
const pageOf = (id: number) => `/school-settings/webhooks/${id}`;
const fields = () => ({ url: URL, flightStarted: 'on', squawkReported: 'on', requestId: randomUUID() });
const post = (path: string, typed: Record<string, string>) =>
  answerTo(formRequest(path, { requestId: randomUUID(), ...typed }, cookie));
const press = (id: number, intent: string, more = {}) => post(pageOf(id), { intent, ...more });
const call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  answerTo(jsonRequest(method, path, body, cookie));
const rows = () => db.selectFrom('webhooks').selectAll().where('school_id', '=', schoolId).orderBy('id').execute();
const deliveries = () =>
  db.selectFrom('webhook_deliveries').selectAll().where('school_id', '=', schoolId).orderBy('id').execute();
const received = (receiver: Receiver) => {
  const last = receiver.received.at(-1);
  if (!last) throw new Error('nothing was received');
  return last;
};

it('a webhook and an import are two presses from the dashboard, own last flights for every role too (B710, C78)', async () => {
  const id = await insertWebhook(db, schoolId, { url: URL });
  const file = { content: Buffer.from('Tail number,Make,Model,Year\nN1FL,Cessna,172S,2004'), name: 'fleet.csv' };
  const imported = await uploadImport(db, { ...admin, member: admin }, file, 'fleet');
  const linksOf = async (path: string, as = cookie) =>
    (await documentAt(path, as))
      .$('main a')
      .toArray()
      .map((link) => link.attribs.href);
  expect(await linksOf('/')).toContain('/school-settings');
  const links = await linksOf('/school-settings');
  expect(links).toEqual(expect.arrayContaining([pageOf(id), `/school-settings/import/${imported.id}`]));
  for (const role of ['instructor', 'student'] as const) {
    const reader = await cookieOf(db, await makeUser(db, schoolId, role));
    expect(await linksOf('/flight-logs', reader)).toContain('/flight-logs/own');
  }
});

describe('the page of webhooks', () => {
  it('adds one, shows its secret once, also where it is sent twice, and stores it encrypted (B883)', async () => {
    const typed = fields();
    const shown = async () => textOf((await documentAfter(ADD, typed, cookie)).$('code.secret'));
    const secret = await shown();
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(await shown()).toBe(secret);
    const [row, ...more] = await rows();
    expect(row).toMatchObject({ url: URL, events: ['flight.started', 'squawk.reported'] });
    expect([JSON.stringify(row).includes(secret.slice(6)), more]).toEqual([false, []]);
    expect(JSON.stringify(await db.selectFrom('idempotency_keys').select('response').execute())).not.toContain('whsec');
    expect(openSecret(row?.secret ?? '')).toEqual({ secret, isNewest: true });
    for (const path of ['/school-settings/webhooks', pageOf(row?.id ?? 0)]) {
      const html = (await documentAt(path, cookie)).$.html();
      expect([html.includes(URL), html.includes(secret)]).toEqual([true, false]);
    }
  });

  it('says what is wrong beside each field, keeps what was typed, and takes five at most (B883)', async () => {
    const { $ } = await documentAfter(ADD, { url: 'http://receiver.example' }, cookie);
    expect(textsOf($, '[id$=-error]')).toEqual([
      ...['The address must begin with https://', 'Please choose at least one event'],
    ]);
    expect($('input[name=url]').attr('value')).toBe('http://receiver.example');
    expect($('input[type=checkbox][checked]').length).toBe(0);
    for (let count = 0; count < MAX_WEBHOOKS; count += 1) await insertWebhook(db, schoolId);
    expect((await post(ADD, fields())).status).toBe(409);
  });

  it('asks for the password before an address is added or changed, or a secret made, and not to pause (B883)', async () => {
    const id = await insertWebhook(db, schoolId);
    await ageProof(db, admin, 16);
    for (const answer of [await post(ADD, fields()), await post(pageOf(id), fields()), await press(id, 'new-secret')])
      expect(answer.headers.get('location')).toMatch(/^\/confirm-password\?/);
    expect(await rows()).toMatchObject([{ id, url: URL, previous_secret: null }]);
    expect((await press(id, 'pause')).headers.get('location')).toBe(pageOf(id));
    expect((await rows())[0]?.paused_at).toBeInstanceOf(Date);
  });

  it('pauses, resumes, changes and, asked about, removes one, and the activity names each (B883, B922)', async () => {
    const id = await insertWebhook(db, schoolId);
    const changed = { url: 'https://other.example/x?key=secret', aircraftStatusChanged: 'on' };
    const titles = [await press(id, 'pause'), await press(id, 'resume'), await post(pageOf(id), changed)];
    expect(await rows()).toMatchObject([{ url: changed.url, events: ['aircraft.status_changed'], paused_at: null }]);
    const { $ } = await documentAt(pageOf(id), cookie);
    expect($('dialog, [data-variant=danger], [value=remove]')).toHaveLength(0);
    const question = await documentAt($('a:contains("Remove")').attr('href') ?? '', cookie);
    const dialog = question.$('dialog[role=alertdialog]');
    expect(dialog.find('a').attr('href')).toBe(pageOf(id));
    expect(textOf(dialog.find('button'))).toBe('Remove Webhook');
    expect(dialog.find('[name=intent]').attr('value')).toBe('remove');
    titles.push(await press(id, 'remove'));
    expect(await Promise.all(titles.map(async (answer) => (await toastAfter(answer))?.title))).toEqual([
      ...['Webhook paused', 'Webhook resumed', 'Webhook changed', 'Webhook removed'],
    ]);
    expect((await documentAt('/school-settings/webhooks', cookie)).$('.empty-state').length).toBe(1);
    expect((await press(id, 'pause')).status).toBe(404);
    // The refused press of another test is recorded, too, some time later.
    const ofActor = db.selectFrom('audit_entries').select(['action', 'after']).where('user_id', '=', admin.id);
    const entries = await ofActor.where('subject', '=', 'webhook').orderBy('id').execute();
    expect(entries.map(({ action }) => action)).toEqual([
      ...['changed webhook', 'changed webhook', 'changed webhook', 'removed webhook'],
    ]);
    expect(JSON.stringify(entries)).not.toContain('secret');
  });

  it('shows each delivery with what was answered, and sends it again at a press (B883)', async () => {
    const receiver = await startReceiver();
    const webhookId = await insertWebhook(db, schoolId, { url: receiver.url });
    const deliveryId = await insertDelivery(db, { schoolId, webhookId });
    receiver.answer = (_event, response) => response.writeHead(422).end('No such <b>aircraft</b>');
    await deliverAllDue(db);
    const { $ } = await documentAt(pageOf(webhookId), cookie);
    const row = textOf($('tbody tr').first());
    for (const text of ['flight.started', 'Waiting', '422', 'It answered 422.', 'No such <b>aircraft</b>']) {
      expect(row).toContain(text);
    }
    receiver.answer = (_event, response) => response.writeHead(200).end();
    expect(await toastAfter(await press(webhookId, 'send-again', { deliveryId: String(deliveryId) }))).toMatchObject({
      title: 'Sent again',
    });
    await deliverAllDue(db);
    expect(await deliveries()).toMatchObject([{ state: 'delivered', attempts: 2 }]);
    await press(webhookId, 'send-again', { deliveryId: String(deliveryId) });
    await deliverAllDue(db);
    await receiver.stop();
    expect(await deliveries()).toMatchObject([{ state: 'delivered', attempts: 3 }]);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
  });

  nightly('offers again what was given up, which looks so; of its own deliveries alone (B883)', async () => {
    const webhookId = await insertWebhook(db, schoolId, { failing_since: new Date() });
    const given = { state: 'given up', duration_ms: 120 } as const;
    await insertDelivery(db, { schoolId, webhookId }, given);
    const { $ } = await documentAt(pageOf(webhookId), cookie);
    const row = $('tbody tr').first();
    expect(textOf(row.find('[data-label=Duration]'))).toBe('120 ms');
    expect(row.find('button[name=intent]').attr('value')).toBe('send-again');
    expect(row.find('.badge[data-tone=low]').text()).toBe('Given up');
    const [id, other] = [await insertWebhook(db, schoolId), await insertWebhook(db, schoolId)];
    const deliveryId = await insertDelivery(db, { schoolId, webhookId: other }, { state: 'given up' });
    expect((await documentAt(pageOf(id), cookie)).$('tbody tr')).toHaveLength(0);
    expect((await documentAt(pageOf(other), cookie)).$('tbody tr')).toHaveLength(1);
    for (const unknown of [String(deliveryId), 'x']) {
      const refused = await press(id, 'send-again', { deliveryId: unknown });
      expect([refused.status, errorTextOf(refused)]).toEqual([404, webhookTexts.deliveryNotFound]);
    }
    expect(await deliveries()).toMatchObject([{ state: 'given up' }, { state: 'given up' }]);
  });

  nightly('a test is signed and tried once, whatever comes back (B883)', async () => {
    const receiver = await startReceiver();
    const id = await insertWebhook(db, schoolId, { url: receiver.url });
    receiver.answer = (_event, response) => response.writeHead(500).end();
    expect(await toastAfter(await press(id, 'test'))).toMatchObject({ title: 'Test sent' });
    await deliverAllDue(db);
    await receiver.stop();
    expect(verify(received(receiver), WEBHOOK_SECRET)).toMatchObject({ type: 'test' });
    expect(await deliveries()).toMatchObject([{ state: 'given up', attempts: 1 }]);
    expect((await rows())[0]?.failing_since).toBeNull();
  });

  it('a new secret signs beside the one before for a day, then alone (B878)', async () => {
    const receiver = await startReceiver();
    const id = await insertWebhook(db, schoolId, { url: receiver.url });
    const { $ } = await documentAfter(pageOf(id), { intent: 'new-secret', requestId: randomUUID() }, cookie);
    const secret = textOf($('code.secret'));
    expect(secret).toMatch(/^whsec_/);
    const next = async () => {
      await insertDelivery(db, { schoolId, webhookId: id });
      await deliverAllDue(db);
      return received(receiver);
    };
    const both = await next();
    for (const good of [secret, WEBHOOK_SECRET]) expect(verify(both, good)).toBeDefined();
    const { rows: lives } = await sql<{ hours: number }>`
      select round(extract(epoch from previous_until - now()) / 3600)::integer as hours from webhooks where id = ${id}`.execute(
      db,
    );
    expect(lives).toEqual([{ hours: 24 }]);
    await sql`update webhooks set previous_until = now() - interval '1 second' where id = ${id}`.execute(db);
    const alone = await next();
    await receiver.stop();
    expect(verify(alone, secret)).toBeDefined();
    expect(() => verify(alone, WEBHOOK_SECRET)).toThrow();
  });

  nightly('the log has pages, each older than the one before (B883)', async () => {
    const webhookId = await insertWebhook(db, schoolId);
    await sql`insert into webhook_deliveries (school_id, webhook_id, event, aircraft_id, data)
      select ${schoolId}, ${webhookId}, 'flight.started', 1, '{}' from generate_series(1, 51)`.execute(db);
    const first = await documentAt(pageOf(webhookId), cookie);
    expect(first.$('tbody tr').length).toBe(50);
    const older = await documentAt(first.$('a[rel=next]').attr('href') ?? '', cookie);
    expect(older.$('tbody tr').length).toBe(1);
    await sql`update webhook_deliveries set created_at = now() - interval '30 days 1 minute'
      where webhook_id = ${webhookId}`.execute(db);
    const created_at = new Date(Date.now() - 30 * 86_400_000 + 3_600_000);
    await insertDelivery(db, { schoolId, webhookId }, { created_at });
    expect((await documentAt(pageOf(webhookId), cookie)).$('tbody tr').length, 'of the last 30 days').toBe(1);
  });
});

describe('calls of webhooks', () => {
  const body = { url: URL, events: ['squawk.reported', 'flight.started', 'flight.started'] };

  it('add, list, pause, by a token too, and remove one, with the secret in the first answer only (B884)', async () => {
    const added = await call('POST', '/api/webhooks', body);
    const { id, secret, ...rest } = JSON.parse(String(added.body));
    expect([added.status, rest]).toMatchObject([
      201,
      { url: URL, events: ['flight.started', 'squawk.reported'], state: 'active' },
    ]);
    expect(secret).toMatch(/^whsec_/);
    const headers = { authorization: await bearerOf(db, admin) };
    const paused = await answerTo(jsonRequest('PATCH', `/api/webhooks/${id}`, { paused: true }, '', headers));
    expect(JSON.parse(String(paused.body))).toEqual({ id, ...rest, state: 'paused' });
    const list = await answerTo(getRequest('/api/webhooks', cookie));
    expect(JSON.parse(String(list.body))).toEqual([{ id, ...rest, state: 'paused' }]);
    expect((await call('DELETE', `/api/webhooks/${id}`)).status).toBe(200);
    expect((await call('DELETE', `/api/webhooks/${id}`)).status).toBe(404);
  });

  nightly('a change keeps what it does not name, and is refused in words where it is none (B884)', async () => {
    const id = await insertWebhook(db, schoolId, { events: ['flight.started'], paused_at: new Date() });
    let expected: object = { url: URL, events: ['flight.started'], state: 'paused' };
    for (const [change, changed] of [
      [{ url: 'https://other.example/' }],
      [{ events: ['squawk.reported'] }],
      [{ paused: false }, { state: 'active' }],
    ]) {
      expected = { ...expected, ...(changed ?? change) };
      expect(JSON.parse(String((await call('PATCH', `/api/webhooks/${id}`, change)).body))).toMatchObject(expected);
    }
    const texts = [
      await call('PATCH', `/api/webhooks/${id}`, {}),
      await call('PATCH', `/api/webhooks/${id}`, { events: ['flight.lost'] }),
      await call('POST', '/api/webhooks', { ...body, url: 'https://169.254.169.254/latest' }),
    ].map((answer) => [answer.status, String(answer.body)]);
    expect(texts).toEqual([
      [400, 'Please give url, events or paused'],
      [400, 'Please choose at least one event'],
      [400, 'This address is in a private network, where webhooks may not lead'],
    ]);
  });
});
