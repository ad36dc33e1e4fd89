import { KEPT_PAGES_FRESH_MS, KEPT_PAGES_LIFE_MS, WORKER_FETCH_TIMEOUT_MS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { AS_OF_HEADER, FOR_KEEPING_HEADER, KEPT_AT_HEADER, KEPT_FOR_HEADER, keptPagePath } from './requests.ts';
import { replaceEncryptionKeys, formatTimeAtSchool } from '../islands/outbox/outbox.ts';

const PREFIX = 'kept-';

export interface OpenFlight {
  id: number;
  aircraftId: number;
}

export interface DeviceData {
  keys: { owner: string; key: string }[];
  openFlight: OpenFlight | null;
  pages: string[];
}

/** Null without a session. Throws without a network. */
export async function fetchDeviceData(): Promise<DeviceData | null> {
  const response = await fetchInTime(paths.deviceKeys);
  if (response.status === 401) return null;
  if (!response.ok) throw new Error(`no device: ${response.status}`);
  return response.json();
}

/** Brings the keys and pages of who is signed in up to date, unless the page that comes last is young. */
export async function refreshKeptPages({ isForced }: { isForced: boolean }): Promise<void> {
  const cached = await findCache();
  const last = await cached?.match(paths.ownFlights);
  if (!isForced && last && Math.abs(ageOf(last)) < KEPT_PAGES_FRESH_MS) return;
  const device = await fetchDeviceData();
  const owner = device?.keys[0]?.owner;
  if (!device || owner === undefined) return forgetAll();
  await forgetOthers(owner);
  await replaceEncryptionKeys(device.keys);
  const cache = await caches.open(PREFIX + owner);
  const gone = (await cache.keys()).filter(({ url }) => !device.pages.includes(new URL(url).pathname));
  for (const request of gone) await cache.delete(request);
  for (const page of device.pages) if (!(await keepPage(cache, owner, page))) return;
}

/** Only a whole page of this user's own: no error, no redirect. */
async function keepPage(cache: Cache, owner: string, page: string): Promise<boolean> {
  const response = await fetchInTime(page, { headers: { [FOR_KEEPING_HEADER]: '1' } });
  if (!response.ok || response.redirected || response.headers.get(KEPT_FOR_HEADER) !== owner) return false;
  const headers = new Headers(response.headers);
  headers.set(KEPT_AT_HEADER, String(Date.now()));
  await cache.put(page, new Response(await response.text(), { headers }));
  return true;
}

/** A request that never ended would hold back all that comes after it. */
function fetchInTime(path: string, options: RequestInit = {}): Promise<Response> {
  return fetch(path, { ...options, signal: AbortSignal.timeout(WORKER_FETCH_TIMEOUT_MS) });
}

/** The kept page of an address, marked with its age; or where it is found. */
export async function findKeptPage(url: URL): Promise<Response | undefined> {
  const path = keptPagePath(url);
  const cache = await findCache();
  const kept = await cache?.match(path);
  if (!kept) return undefined;
  if (ageOf(kept) > KEPT_PAGES_LIFE_MS) {
    await cache?.delete(path);
    return undefined;
  }
  // Remix starts a page only at the address it was made for.
  if (url.pathname !== path || url.search !== '') return Response.redirect(path);
  const headers = new Headers(kept.headers);
  headers.delete(KEPT_AT_HEADER);
  const asOf = kept.headers.get(AS_OF_HEADER) ?? formatTimeAtSchool(Number(kept.headers.get(KEPT_AT_HEADER)));
  return new Response(markAsKept(await kept.text(), `As of ${asOf}. No network.`), { headers });
}

/** Forgets what others had kept, once a page shows who is signed in. */
export async function forgetAllButPageOwner({ status, headers }: Response): Promise<void> {
  const owner = headers.get(KEPT_FOR_HEADER);
  // The error page of a server without its database knows nobody.
  if (owner === null || status >= 500) return;
  await (owner === '' ? forgetAll() : forgetOthers(owner));
}

/** The key goes too, so that what waits cannot be read before its user signs in again. */
export async function forgetAll(): Promise<void> {
  await replaceEncryptionKeys([]);
  await forgetOthers('');
}

export async function forgetOthers(owner: string): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== PREFIX + owner);
  if (names.length === 0) return;
  for (const name of names) await caches.delete(name);
  if (owner !== '') await replaceEncryptionKeys([]);
}

async function findCache(): Promise<Cache | undefined> {
  const name = (await caches.keys()).find((one) => one.startsWith(PREFIX));
  return name === undefined ? undefined : caches.open(name);
}

function ageOf({ headers }: Response): number {
  return Date.now() - Number(headers.get(KEPT_AT_HEADER));
}

/** Into the attribute for the script, and into the text for who has none; what is typed each time is another request. */
export function markAsKept(html: string, text: string): string {
  const ids = [...html.matchAll(/name="requestId" value="([^"]+)"/g)].map(([, id = '']) => id);
  const page = ids.reduce((former, id) => former.replaceAll(id, crypto.randomUUID()), html);
  return page.replace('<html ', `<html data-as-of="${text}" `).replace('id="as-of"></p>', `id="as-of">${text}</p>`);
}
