import { expect, it } from 'vitest';
import { decodeViaTurboStream as decode } from '../../node_modules/@remix-run/react/dist/single-fetch.js';
import { markAsKept } from '#app/service-worker/kept-pages.ts';
import { flightIdOfUnsent, nextToSend, outcomeOf } from '#app/service-worker/unsent-forms.ts';
import { chooseHandling, documentPathOf, keptPagePath, reloadAt } from '#app/service-worker/requests.ts';
import type { Unsent } from '#app/islands/outbox/outbox.ts';

const url = (path: string) => new URL(path, 'https://school.example');
const handling = (method: string, path: string, mode = 'cors') => chooseHandling(method, mode, url(path));

it('a visit, a page that asks and a post are handled by their address, or left to the browser (B865, B866)', () => {
  const visits = { '/': 'document', '/flight-log?step=1': 'document', '/users/7': 'document' };
  for (const [path, how] of Object.entries(visits)) expect(handling('GET', path, 'navigate'), path).toBe(how);
  for (const path of ['/api/flight-logs/export', '/photos/3', '/unsent/keys', '/icon-192.png'])
    expect(handling('GET', path, 'navigate'), path).toBeUndefined();
  const asked = { '/assets/root-abc.js': 'asset', '/_root.data': 'data', '/users.data': 'data' };
  for (const [path, how] of Object.entries(asked)) expect(handling('GET', path), path).toBe(how);
  for (const path of ['/users.data?_routes=root', '/api/user']) expect(handling('GET', path), path).toBeUndefined();
  const checkOut = { unsent: 'check-out' };
  const posts = {
    ...{ '/flight-log?step=2': checkOut, '/flight-log.data?step=2': checkOut, '/flight-log/offline.data': checkOut },
    '/flight-log/41/post-check.data': { unsent: 'check-in', flightId: 41 },
    '/flight-log/0/post-check': { unsent: 'check-in', flightId: null },
    ...{ '/logout': 'log-out', '/flight-log?step=1': 'step', '/flight-log.data': 'step' },
    ...{ '/drafts': undefined, '/airplanes?index': undefined, '/login': undefined },
  };
  for (const [path, how] of Object.entries(posts)) {
    expect(handling('POST', path), path).toEqual(how);
    expect(handling('DELETE', path), path).toBeUndefined();
  }
});

it('a link pressed without a network opens the document at the same address, in words that Remix reads (B865)', async () => {
  expect([documentPathOf(url('/_root.data')), documentPathOf(url('/users.data?q=a'))]).toEqual(['/', '/users?q=a']);
  const redirect = { redirect: '/users?q="a"', status: 302, revalidate: false, reload: true, replace: false };
  const [loaded] = await Promise.all([read(reloadAt('/users?q="a"', { isAction: false }))]);
  expect(Object.getOwnPropertySymbols(loaded).map((symbol) => Reflect.get(Object(loaded), symbol))).toEqual([redirect]);
  expect(await read(reloadAt('/users?q="a"', { isAction: true }))).toEqual(redirect);
});

it('the check-out and the flight logs have stand-ins, and a kept page is marked with its age (B865)', () => {
  expect([keptPagePath(url('/flight-log?aircraftId=2')), keptPagePath(url('/flight-logs'))]).toEqual([
    '/flight-log/offline',
    '/flight-logs/own',
  ]);
  const page = markAsKept('<html lang="en"><p class="as-of" id="as-of"></p>', 'As of 14:02. No network.');
  expect(page).toBe(
    '<html data-as-of="As of 14:02. No network." lang="en"><p class="as-of" id="as-of">As of 14:02. No network.</p>',
  );
});

const checkOut = unsent({ id: 'out', kind: 'check-out', aircraftId: 3 });
const checkIn = unsent({ id: 'in', after: 'out', aircraftId: 3 });

it('a check-in waits for its check-out, a refused one too, and other flights do not (B867)', () => {
  expect(nextToSend([checkOut, checkIn], ['anna'])?.id).toBe('out');
  const returned = { ...checkOut, state: 'returned' as const };
  expect(nextToSend([returned, checkIn], ['anna'])).toBeUndefined();
  expect(nextToSend([returned, checkIn, unsent({ id: 'other', flightId: 8 })], ['anna'])?.id).toBe('other');
  expect(nextToSend([checkIn], ['anna'])?.id).toBe('in');
});

it('what one user typed is not sent by another (B868)', () => {
  expect(nextToSend([checkOut], ['ben'])).toBeUndefined();
});

it('a check-in whose check-out is gone is of the open flight of its aircraft, or of none (B867)', () => {
  expect(flightIdOfUnsent(checkIn, { id: 41, aircraftId: 3 })).toBe(41);
  expect(flightIdOfUnsent(checkIn, { id: 41, aircraftId: 4 })).toBeNull();
  expect(flightIdOfUnsent({ ...checkIn, flightId: 7 }, { id: 41, aircraftId: 3 })).toBe(7);
});

it("only the server's word on the form ends its waiting (B869)", async () => {
  const json = (body: object, status: number) => outcomeOf(Response.json(body, { status }));
  expect(await json({ flightId: 41 }, 200)).toEqual({ state: 'sent', flightId: 41 });
  expect(await json({ text: 'Taken.', to: '/flight-log' }, 409)).toMatchObject({ state: 'returned', text: 'Taken.' });
  const closed = { text: 'Closed.', to: '/flight-logs?log=4', squawkTo: '/airplanes/3/squawks/add' };
  expect(await json(closed, 409)).toEqual({ state: 'returned', ...closed });
  await expect(json({ text: 'x' }, 503)).rejects.toThrow('not sent');
  for (const other of [new Response('Forbidden', { status: 403 }), new Response('<html>of a hotel</html>')])
    await expect(outcomeOf(other)).rejects.toThrow('not sent');
  expect(await outcomeOf(new Response('Unauthorized', { status: 401 }))).toEqual({ state: 'signed out' });
});

function unsent(differing: Partial<Unsent>): Unsent {
  return {
    ...{ id: 'x', owner: 'anna', kind: 'check-in', typedAt: 0, aircraftId: null, flightId: null, after: null },
    ...{ state: 'waiting', sealed: { iv: new Uint8Array(), body: new ArrayBuffer(), type: '' } },
    ...differing,
  };
}

async function read({ body }: Response): Promise<object> {
  if (!body) throw new Error('no body');
  const { value } = await decode(body, globalThis);
  return Object(await value);
}
