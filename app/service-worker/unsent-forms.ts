import { WORKER_FETCH_TIMEOUT_MS, UPLOAD_TIMEOUT_MS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { type DeviceData, fetchDeviceData, forgetAll, type OpenFlight } from './kept-pages.ts';
import type { UnsentTarget } from './requests.ts';
import {
  findKeys,
  findUnsent,
  openForm,
  putUnsent,
  removeUnsentAndLinkCheckIn,
  replaceEncryptionKeys,
  sealForm,
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
  const device = await fetchDeviceData();
  if (!device) return markSignedOut();
  await replaceEncryptionKeys(device.keys);
  const owners = device.keys.map(({ owner }) => owner);
  let openFlight = device.openFlight;
  for (;;) {
    const item = nextToSend(await findUnsent(), owners);
    if (!item) return;
    const outcome = await send(item, openFlight);
    if (outcome.state === 'signed out') return markSignedOut();
    // What was discarded or typed anew under the same id meanwhile stays as it is.
    const isThere = (await findUnsent()).some(({ id, typedAt }) => id === item.id && typedAt === item.typedAt);
    if (outcome.state === 'returned') {
      if (isThere) await putUnsent({ ...item, ...outcome });
      continue;
    }
    const { flightId } = outcome;
    const { kind, aircraftId } = item;
    if (kind === 'check-in' && openFlight?.id === flightId) openFlight = null;
    if (kind === 'check-out' && flightId !== null && aircraftId !== null) openFlight = { id: flightId, aircraftId };
    if (isThere) await removeUnsentAndLinkCheckIn(item.id, flightId);
  }
}

async function send(item: Unsent, openFlight: DeviceData['openFlight']): Promise<Outcome> {
  const key = (await findKeys()).find(({ owner }) => owner === item.owner);
  if (!key) throw new Error('no key');
  const form = await openForm(key, item.sealed);
  form.set('unsentOwner', item.owner);
  form.set('unsentTypedAt', new Date(item.typedAt).toISOString());
  if (item.kind === 'check-in') {
    const flightId = flightIdOfUnsent(item, openFlight);
    if (flightId === null) return flightGone(item);
    form.set('unsentFlight', String(flightId));
  }
  const hasPhotos = [...form.values()].some((value) => value instanceof File && value.size > 0);
  const signal = AbortSignal.timeout(hasPhotos ? UPLOAD_TIMEOUT_MS : WORKER_FETCH_TIMEOUT_MS);
  const request = { method: 'POST', body: form, signal };
  return outcomeOf(await fetch(paths.sendUnsent, request));
}

async function markSignedOut(): Promise<void> {
  await forgetAll();
  for (const item of await findUnsent())
    if (item.state === 'waiting') await putUnsent({ ...item, state: 'signed out' });
}

/** Finds what can be sent next, in the order in which it was typed; a check-in waits for its check-out. */
export function nextToSend(items: Unsent[], owners: string[]): Unsent | undefined {
  return items
    .filter((item) => owners.includes(item.owner) && item.state !== 'returned')
    .find(({ after }) => after === null || !items.some(({ id }) => id === after));
}

/** The flight of a check-in whose check-out was not sent from here: the pilot's own of the same aircraft. */
export function flightIdOfUnsent({ flightId, aircraftId }: Unsent, openFlight: OpenFlight | null): number | null {
  return flightId ?? (openFlight?.aircraftId === aircraftId ? openFlight.id : null);
}

type Outcome =
  | { state: 'sent'; flightId: number | null }
  | ({ state: 'returned' } & Pick<Unsent, 'text' | 'to' | 'squawkTo'>)
  | { state: 'signed out' };

/** Throws unless the answer is the server's word on the form, which is JSON: it is sent again then. */
export async function outcomeOf(response: Response): Promise<Outcome> {
  if (response.status === 401) return { state: 'signed out' };
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  if (!isJson || response.status >= 500) throw new Error('not sent');
  const answer: { flightId?: number | null; text?: string; to?: string; squawkTo?: string } = await response.json();
  if (response.ok) return { state: 'sent', flightId: answer.flightId ?? null };
  return { state: 'returned', text: answer.text ?? '', to: answer.to ?? '/', squawkTo: answer.squawkTo };
}

function flightGone({ aircraftId }: Unsent): Outcome {
  return {
    state: 'returned',
    text: 'Its flight is not open any more. Please look at it in the flight logs.',
    to: paths.flightLogs,
    squawkTo: aircraftId === null ? undefined : paths.addSquawk(aircraftId),
  };
}

/** False where nobody is signed in whose device this is, and for a press that needs the server's answer. */
export async function keepForm(request: Request, target: UnsentTarget): Promise<boolean> {
  const key = (await findKeys()).find(({ isCurrent }) => isCurrent);
  const form = await request.formData();
  if (!key || needsAnswer(form)) return false;
  const requestId = form.get('requestId');
  const item: Unsent = {
    id: `${target.unsent} ${typeof requestId === 'string' ? requestId : crypto.randomUUID()}`,
    owner: key.owner,
    kind: target.unsent,
    typedAt: Date.now(),
    aircraftId: Number(form.get('aircraftId')) || null,
    flightId: null,
    after: null,
    state: 'waiting',
    sealed: await sealForm(key, form),
  };
  await putUnsent(target.unsent === 'check-in' ? await withFlight(item, target.flightId) : item);
  return true;
}

async function withFlight(item: Unsent, flightId: number | null): Promise<Unsent> {
  if (flightId !== null) return { ...item, flightId };
  const checkOut = (await findUnsent()).findLast(({ kind, owner }) => kind === 'check-out' && owner === item.owner);
  return { ...item, after: checkOut?.id ?? null, aircraftId: checkOut?.aircraftId ?? item.aircraftId };
}

function needsAnswer(form: FormData): boolean {
  const intent = form.get('intent');
  return typeof intent === 'string' && /^(read|use)-/.test(intent);
}

/** Forgets what the server gave back to who is signed in, once its form was sent from the page and led on. */
export async function forgetReturnedForms(request: Request, target: UnsentTarget): Promise<void> {
  const returned = (await findUnsent()).filter(({ state, kind }) => state === 'returned' && kind === target.unsent);
  if (returned.length === 0 || needsAnswer(await request.formData())) return;
  // Without a session the server has led to the sign-in, and done nothing.
  const owners = (await fetchDeviceData())?.keys.map(({ owner }) => owner);
  for (const { id, owner, flightId } of returned) {
    const isSent = target.unsent === 'check-out' || flightId === target.flightId;
    if (isSent && owners?.includes(owner)) await removeUnsentAndLinkCheckIn(id);
  }
}
