import { findKeys, findUnsent, putUnsent, removeUnsent, sealForm, type Unsent } from '../islands/outbox/outbox.ts';

type Target = { unsent: 'check-out' } | { unsent: 'check-in'; flightId: number | null };

/** False where nobody is signed in whose device this is, and for a press that needs the server's answer. */
export async function keepForm(request: Request, target: Target): Promise<boolean> {
  const key = (await findKeys()).find(({ isCurrent }) => isCurrent);
  const form = await request.formData();
  const intent = form.get('intent');
  if (!key || (typeof intent === 'string' && /^(read|use)-/.test(intent))) return false;
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

/** The flight that was sent, or the last check-out that was not. */
async function withFlight(item: Unsent, flightId: number | null): Promise<Unsent> {
  if (flightId !== null) return { ...item, flightId };
  const checkOut = (await findUnsent()).findLast(({ kind, owner }) => kind === 'check-out' && owner === item.owner);
  return { ...item, after: checkOut?.id ?? null, aircraftId: checkOut?.aircraftId ?? item.aircraftId };
}

/** Forgets what the server gave back once its form was sent from the page. */
export async function forgetReturned(target: Target): Promise<void> {
  const returned = (await findUnsent()).filter(({ state, kind }) => state === 'returned' && kind === target.unsent);
  for (const { id, flightId } of returned) {
    if (target.unsent === 'check-out' || flightId === target.flightId) await removeUnsent(id);
  }
}
