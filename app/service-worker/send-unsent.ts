import { MAX_SEND_MS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { type Device, fetchDevice, forgetAll } from './kept-pages.ts';
import { flightGone, flightOf, nextToSend, type Outcome, outcomeOf } from './queue.ts';
import {
  findKeys,
  findUnsent,
  openForm,
  putUnsent,
  removeUnsent,
  replaceKeys,
  type Unsent,
} from '../islands/outbox/outbox.ts';

/** Sends what waits, one after another; throws where that has to be tried again. */
export async function sendUnsent(): Promise<void> {
  if ((await findUnsent()).length === 0) return;
  // Two tabs, a sync and a press may come at once.
  sending = sending.catch(() => undefined).then(sendAll);
  await sending;
}

let sending: Promise<void> = Promise.resolve();

async function sendAll(): Promise<void> {
  const device = await fetchDevice();
  if (!device) return markSignedOut();
  await replaceKeys(device.keys);
  const owners = device.keys.map(({ owner }) => owner);
  let openFlight = device.openFlight;
  for (;;) {
    const item = nextToSend(await findUnsent(), owners);
    if (!item) return;
    const outcome = await send(item, openFlight);
    if (outcome.kind === 'signed out') return markSignedOut();
    if (outcome.kind === 'later') throw new Error('not sent');
    if (outcome.kind === 'returned') {
      const { text, to, squawkTo } = outcome;
      await putUnsent({ ...item, state: 'returned', text, to, ...(squawkTo && { squawkTo }) });
      continue;
    }
    openFlight = openFlightAfter(item, outcome, openFlight);
    await removeUnsent(item.id, outcome.flightId);
  }
}

async function send(item: Unsent, openFlight: Device['openFlight']): Promise<Outcome> {
  const key = (await findKeys()).find(({ owner }) => owner === item.owner);
  if (!key) return { kind: 'later' };
  const form = await openForm(key, item.sealed);
  form.set('unsentOwner', item.owner);
  form.set('unsentTypedAt', new Date(item.typedAt).toISOString());
  if (item.kind === 'check-in') {
    const flightId = flightOf(item, openFlight);
    if (flightId === null) return flightGone(item);
    form.set('unsentFlight', String(flightId));
  }
  const request = { method: 'POST', body: form, signal: AbortSignal.timeout(MAX_SEND_MS) };
  return outcomeOf(await fetch(paths.sendUnsent, request));
}

function openFlightAfter(
  { kind, aircraftId }: Unsent,
  { flightId }: { flightId: number | null },
  former: Device['openFlight'],
) {
  if (kind === 'check-in') return former?.id === flightId ? null : former;
  return flightId !== null && aircraftId !== null ? { id: flightId, aircraftId } : former;
}

async function markSignedOut(): Promise<void> {
  await forgetAll();
  for (const item of await findUnsent())
    if (item.state === 'waiting') await putUnsent({ ...item, state: 'signed out' });
}
