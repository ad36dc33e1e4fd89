import { DISCARDS_UNSENT } from '#app/domain/typed-forms/field-names.ts';
import { MAX_PAGE_WAIT_MS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { forgetReturnedForms, keepForm, sendUnsent } from './unsent-forms.ts';
import {
  fetchDeviceData,
  findKeptPage,
  forgetAll,
  forgetOthers,
  refreshKeptPages,
  markAsKept,
  forgetAllButPageOwner,
} from './kept-pages.ts';
import {
  chooseHandling,
  documentPathOf,
  type Handling,
  LOGOUT_FAILED_HASH,
  reloadAt,
  type UnsentTarget,
} from './requests.ts';
import { clearForms, findTyped, findUnsent } from '../islands/outbox/outbox.ts';

/** What is used of each event, and of the scope below: TypeScript has either the page's types or the worker's. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
  request: Request;
  respondWith(response: Promise<Response>): void;
  data: unknown;
}

declare const self: {
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  /** Background Sync, where the browser has it. */
  registration: { sync?: { register(tag: string): Promise<void> } };
};
/** The scripts and styles of this build, by path; their names change with their content. */
declare const BUILT_ASSETS: string[];
declare const BUILD_ID: string;

const ASSETS = `assets-${BUILD_ID}`;
const SYNC = 'send-unsent';

let keeping: Promise<void> | undefined;

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('sync', (event) => event.waitUntil(sendAndKeep()));
self.addEventListener('message', (event) => event.waitUntil(handleMessage(event.data)));
self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const address = new URL(url);
  if (address.origin !== location.origin) return;
  const handling = chooseHandling(method, mode, address);
  if (handling !== undefined) event.respondWith(respond(event, address, handling));
});

async function install(): Promise<void> {
  const cache = await caches.open(ASSETS);
  // Without cookies, so that nobody's name stands on it.
  await cache.addAll([...BUILT_ASSETS, new Request(paths.noNetwork, { credentials: 'omit' })]);
  // No tab waits for a worker that may be at fault.
  await self.skipWaiting();
}

async function activate(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith('assets-') && name !== ASSETS);
  for (const name of old) await caches.delete(name);
  await self.clients.claim();
}

/** From a page that is idle, online again, or whose user pressed 'Send now'. */
async function handleMessage(message: unknown): Promise<void> {
  if (message === 'send') return sendAndKeep().catch(() => undefined);
  if (typeof message !== 'object' || message === null || !('owner' in message)) return;
  if (typeof message.owner !== 'string') return forgetAll();
  await forgetOthers(message.owner);
  keeping ??= refreshKeptPages({ isForced: false })
    .catch(() => undefined)
    .finally(() => (keeping = undefined));
  await keeping;
  await sendAndKeep().catch(() => undefined);
}

/** A flight that has begun or ended changes what is kept. */
async function sendAndKeep(): Promise<void> {
  const { length } = await findUnsent();
  await sendUnsent().finally(async () => {
    if ((await findUnsent()).length < length) await refreshKeptPages({ isForced: true }).catch(() => undefined);
  });
}

function respond(event: WorkerEvent, url: URL, handling: Handling): Promise<Response> {
  const { request } = event;
  if (handling === 'asset') return findAsset(request);
  if (handling === 'document') return openDocument(event, url);
  if (handling === 'data') return fetch(request).catch(() => reloadAt(documentPathOf(url), { isAction: false }));
  if (handling === 'log-out') return logOut(request);
  if (handling === 'step') return fetch(request).catch(() => goOnInOneForm(request));
  return postForm(event, handling);
}

async function findAsset(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName: ASSETS })) ?? fetch(request);
}

async function openDocument(event: WorkerEvent, url: URL): Promise<Response> {
  const kept = () => findKeptPage(url);
  const coming = fetch(event.request).then((response) => {
    event.waitUntil(forgetAllButPageOwner(response));
    return response;
  });
  try {
    return await Promise.race([coming, afterPageWait(kept)]);
  } catch {
    return (await kept()) ?? (await noNetwork(url));
  }
}

/** Never answers where nothing is kept. */
function afterPageWait(kept: () => Promise<Response | undefined>): Promise<Response> {
  return new Promise((resolve) => {
    setTimeout(() => void kept().then((page) => page && resolve(page)), MAX_PAGE_WAIT_MS);
  });
}

async function noNetwork({ pathname, search }: URL): Promise<Response> {
  if (pathname !== paths.noNetwork) return Response.redirect(`${paths.noNetwork}#${pathname}${search}`);
  const page = await caches.match(paths.noNetwork, { cacheName: ASSETS });
  return page ? new Response(markAsKept(await page.text(), 'No network.'), page) : Response.error();
}

async function postForm(event: WorkerEvent, target: UnsentTarget): Promise<Response> {
  const { request } = event;
  const copy = request.clone();
  // The flight of an unsent check-out has no address yet.
  const isUnsent = target.unsent === 'check-in' && target.flightId === null;
  try {
    if (isUnsent) throw new Error('kept first');
    const response = await fetch(request);
    if (response.type === 'opaqueredirect' || response.status === 202) {
      const forgetting = forgetReturnedForms(copy, target).catch(() => undefined);
      event.waitUntil(forgetting.then(() => refreshKeptPages({ isForced: true })));
    }
    return response;
  } catch {
    if (!(await keepForm(copy, target).catch(() => false))) return Response.error();
    event.waitUntil(sendLater());
    return leadTo(paths.dashboard, request);
  }
}

async function goOnInOneForm(request: Request): Promise<Response> {
  const kept = await findKeptPage(new URL(paths.checkOutWithoutNetwork, location.origin));
  return kept ? leadTo(paths.checkOutWithoutNetwork, request) : Response.error();
}

function leadTo(path: string, { mode }: Request): Response {
  return mode === 'navigate' ? Response.redirect(path, 303) : reloadAt(path, { isAction: true });
}

async function sendLater(): Promise<void> {
  await self.registration.sync?.register(SYNC).catch(() => undefined);
  await sendAndKeep().catch(() => undefined);
}

/** The server has this device cleared, so who logs out is told first of what could not be sent. */
async function logOut(request: Request): Promise<Response> {
  const form = await request.clone().formData();
  await sendUnsent().catch(() => undefined);
  const unsent = await findUnsent().catch(() => []);
  if (!form.has(DISCARDS_UNSENT) && unsent.length > 0) return leadTo(paths.logoutUnsent, request);
  const response = await fetch(request).catch(() => undefined);
  // Without an answer, it may have been done.
  await (response ? forgetAll() : Promise.resolve()).then(clearOnceSignedOut).catch(() => undefined);
  // With a query it is another document, also for the dashboard itself.
  return response ?? leadTo(`${paths.dashboard}?still${LOGOUT_FAILED_HASH}`, request);
}

/** Safari before 17 does not clear itself at the server's word, and no browser at one that was lost. */
async function clearOnceSignedOut(): Promise<void> {
  const left = [...(await findTyped()), ...(await findUnsent())];
  if (left.length > 0 && !(await fetchDeviceData())) await Promise.all([clearForms(), forgetAll()]);
}
