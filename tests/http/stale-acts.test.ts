import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { makeFlight, makeInvitation, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { documentAfter, type ServedDocument, textOf } from '#tests/support/documents.ts';
import { cookieOf, handleRequest, jsonRequest } from '#tests/support/ask.ts';
import { makeCalendarLink } from '#app/domain/calendar/queries.server.ts';
import { addInspection } from '#app/domain/inspections/save-inspection.server.ts';
import { addSquawk } from '#app/domain/squawks/add-squawk.server.ts';
import { changeSquawk } from '#app/domain/squawks/change-squawk.server.ts';
import { insertAccessToken } from '#tests/support/access-tokens.ts';
import { insertPasskey } from '#tests/support/passkey-rows.ts';
import { insertWebhook } from '#tests/support/webhooks.ts';

const { db } = await testDatabase();

let reader: Member, cookie: string, aircraftId: number;
beforeEach(async () => {
  reader = await makeUser(db, await makeSchool(db), 'administrator');
  cookie = await cookieOf(db, reader);
  aircraftId = await makeAircraft(db, reader.schoolId);
});

interface Act {
  name: string;
  make: () => Promise<number>;
  form: (id: number) => [path: string, fields: Record<string, string>];
  call?: (id: number) => ['DELETE' | 'PATCH', path: string, body: object | undefined];
  /** What the page says, as the call does, after it was done in another window. */
  says: [status: number, text: string];
}

const remove = (path: string) => (id: number) =>
  ['DELETE', `/api/${path}/${id}`, undefined] as ['DELETE', string, undefined];
const makeSquawk = async () => (await addSquawk(db, reader, { aircraftId, text: 'Left brake soft' })).id;
const changed = 'Somebody else has changed this squawk. Please look at it again.';

const ACTS: Act[] = [
  {
    name: 'revoking an invitation',
    make: async () => (await makeInvitation(db, reader)).id,
    form: (id) => ['/users/invitations', { intent: 'delete-invitation', invitationId: String(id) }],
    call: remove('invitations'),
    says: [404, 'Invitation not found'],
  },
  {
    name: 'ending a squawk',
    make: makeSquawk,
    form: (id) => [`/squawks/${id}`, { intent: 'fixed', remark: 'New pads' }],
    call: (id) => ['PATCH', `/api/squawks/${id}`, { state: 'fixed', remark: 'New pads' }],
    says: [409, changed],
  },
  {
    name: 'ending a deferral',
    make: async () => {
      const id = await makeSquawk();
      const until = { at: 'tach', value: '120.0' } as const;
      await changeSquawk(db, reader, id, { state: 'deferred', until, remark: 'Part ordered' });
      return id;
    },
    form: (id) => [`/squawks/${id}`, { intent: 'open', remark: 'Part came' }],
    call: (id) => ['PATCH', `/api/squawks/${id}`, { state: 'open', remark: 'Part came' }],
    says: [409, changed],
  },
  {
    name: 'removing an access token',
    make: () => insertAccessToken(db, reader),
    form: (id) => ['/account', { intent: 'remove-access-token', accessToken: String(id) }],
    call: remove('tokens'),
    says: [404, 'Access token not found'],
  },
  {
    name: 'removing a webhook',
    make: () => insertWebhook(db, reader.schoolId),
    form: (id) => [`/school-settings/webhooks/${id}`, { intent: 'remove' }],
    call: remove('webhooks'),
    says: [404, 'Webhook not found'],
  },
  {
    name: 'removing a passkey',
    make: () => insertPasskey(db, reader),
    form: (id) => ['/account', { intent: 'remove-passkey', passkey: String(id) }],
    says: [404, 'Passkey not found'],
  },
  {
    name: 'removing a calendar link',
    make: async () => {
      await makeCalendarLink(db, reader, aircraftId);
      return aircraftId;
    },
    form: (id) => [`/airplanes/${id}/calendar`, { intent: 'remove' }],
    says: [404, 'You have no calendar link for this aircraft'],
  },
  {
    name: 'deleting a user',
    make: async () => (await makeUser(db, reader.schoolId)).id,
    form: (id) => ['/users', { intent: 'delete-user', userId: String(id) }],
    call: remove('users'),
    says: [404, 'User not found'],
  },
  {
    name: 'deleting an aircraft',
    make: () => makeAircraft(db, reader.schoolId),
    form: (id) => ['/airplanes?index', { intent: 'delete-aircraft', aircraftId: String(id) }],
    call: remove('aircraft'),
    says: [404, 'Aircraft not found'],
  },
  {
    name: 'cancelling a check-out',
    make: () => makeFlight(db, reader, aircraftId),
    form: (id) => [`/flight-logs/${id}/cancel`, { reason: 'Fog' }],
    says: [409, 'This check-out was cancelled.'],
  },
  {
    name: 'removing an inspection',
    make: async () => {
      const due = { at: 'tach', value: '120.0' } as const;
      return (await addInspection(db, reader, aircraftId, { name: '100 h', due, interval: null })).id;
    },
    form: (id) => [`/inspections/${id}`, { intent: 'remove' }],
    says: [404, 'Inspection not found'],
  },
];

const wordsOf = ({ $ }: ServedDocument) => textOf($('main')) + textOf($('.toast'));

it.each(ACTS)('$name that was done elsewhere says so, and not that it was done (B1544)', async (act) => {
  const { make, form, call, says } = act;
  const id = await make();
  expect((await documentAfter(...form(id), cookie)).status).toBe(303);
  const again = await documentAfter(...form(id), cookie);
  expect([again.status, wordsOf(again)]).toEqual([says[0], expect.stringContaining(says[1])]);
  if (!call) return;
  const answer = await handleRequest(jsonRequest(...call(id), cookie));
  expect([answer.status, await answer.text()]).toEqual(says);
});

it('a form of what is gone meanwhile says what, and shows what was typed (B1625)', async () => {
  const id = await insertWebhook(db, reader.schoolId);
  await db.deleteFrom('webhooks').where('id', '=', id).execute();
  await db.updateTable('aircraft').set({ deleted_at: new Date() }).where('id', '=', aircraftId).execute();
  const forms: [path: string, fields: Record<string, string>, gone: string, label: string, typed: string][] = [
    [
      `/school-settings/webhooks/${id}`,
      { url: 'https://office.example/new' },
      'Webhook',
      'Url',
      'https://office.example/new',
    ],
    [`/airplanes/${aircraftId}/squawks/add`, { text: 'Left brake soft' }, 'Aircraft', 'Text', 'Left brake soft'],
    [
      '/inspections/999',
      { intent: 'save', name: 'Oil change', requestId: randomUUID() },
      'Inspection',
      'Name',
      'Oil change',
    ],
  ];
  for (const [path, fields, gone, label, typed] of forms) {
    const answer = await documentAfter(path, fields, cookie);
    expect(answer.status, path).toBe(404);
    expect(textOf(answer.$('main')), path).toContain(
      `${gone} not found. There is nothing at this address, or no more.What you entered was not saved:${label}${typed}Search`,
    );
  }
});
