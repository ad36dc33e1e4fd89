import { vi } from 'vitest';

/** What IndexedDB keeps, by database and store, as far as the scripts of the browser use it. */
type Stores = Map<string, { keyPath: string | undefined; rows: Map<string, unknown> }>;

class Request extends EventTarget {
  result: unknown;
  onsuccess: (() => void) | undefined;
  onupgradeneeded: (() => void) | undefined;

  /** After those who asked listen. */
  constructor(events: ((request: Request) => void)[] = []) {
    super();
    queueMicrotask(() => events.forEach((event) => event(this)));
  }

  say(type: 'success' | 'upgradeneeded'): void {
    this[`on${type}`]?.();
    this.dispatchEvent(new Event(type));
  }
}

/** In place of `indexedDB`, and what it keeps. */
export function stubIndexedDb() {
  const databases = new Map<string, Stores>();
  const open = (name: string) => {
    const isNew = !databases.has(name);
    const stores =
      databases.get(name) ?? new Map<string, { keyPath: string | undefined; rows: Map<string, unknown> }>();
    databases.set(name, stores);
    const opened = databaseOf(stores);
    return new Request([
      (request) => (request.result = opened),
      (request) => isNew && request.say('upgradeneeded'),
      (request) => request.say('success'),
    ]);
  };
  const rowsOf = (database: string, store: string) => databases.get(database)?.get(store)?.rows ?? new Map();
  const list = async () => [...databases.keys()].map((name) => ({ name }));
  const deleteDatabase = (name: string) => void databases.delete(name);
  return { indexedDB: { open, databases: list, deleteDatabase }, rowsOf };
}

function databaseOf(stores: Stores) {
  return {
    createObjectStore: (name: string, options: { keyPath?: string } = {}) =>
      void stores.set(name, { keyPath: options.keyPath, rows: new Map() }),
    transaction: (name: string) => {
      const transaction = {
        oncomplete: undefined as (() => void) | undefined,
        objectStore: () => storeOf(stores, name),
        commit: () => {},
      };
      queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => transaction.oncomplete?.())));
      return transaction;
    },
    close: () => {},
  };
}

function storeOf(stores: Stores, name: string) {
  const { keyPath, rows } = stores.get(name) ?? { keyPath: undefined, rows: new Map<string, unknown>() };
  const answer = (result: unknown) =>
    new Request([(request) => (request.result = result), (request) => request.say('success')]);
  return {
    get: (key: string) => answer(rows.get(key)),
    getAll: (wanted?: string | { isWithin: (key: string) => boolean }) => {
      const isWanted = (key: string) =>
        wanted === undefined || (typeof wanted === 'string' ? key === wanted : wanted.isWithin(key));
      return answer([...rows].flatMap(([key, row]) => (isWanted(key) ? [row] : [])));
    },
    clear: () => answer(rows.clear()),
    count: () => answer(rows.size),
    getAllKeys: () => answer([...rows.keys()]),
    put: (row: object, key?: string) => answer(rows.set(key ?? String(Reflect.get(row, keyPath ?? '')), row)),
    delete: (wanted: string | { isWithin: (key: string) => boolean }) => {
      const isWanted = (key: string) => (typeof wanted === 'string' ? key === wanted : wanted.isWithin(key));
      for (const key of [...rows.keys()].filter(isWanted)) rows.delete(key);
      return answer(undefined);
    },
  };
}

/** In place of `IDBKeyRange`. */
export const keyRangeStub = {
  bound: (from: string, to: string) => ({ isWithin: (key: string) => key >= from && key <= to }),
};

/** In place of `caches`; what the device keeps of each name, by path. */
export function stubCaches(): Map<string, Map<string, Response>> {
  const stored = new Map<string, Map<string, Response>>();
  const open = async (name: string) => {
    const pages = stored.get(name) ?? new Map<string, Response>();
    stored.set(name, pages);
    return {
      match: async (path: string) => pages.get(path),
      put: async (path: string, page: Response) => void pages.set(path, page),
      keys: async () => [...pages.keys()].map((path) => ({ url: `http://localhost${path}` })),
      delete: async (request: string | { url: string }) =>
        pages.delete(typeof request === 'string' ? request : new URL(request.url).pathname),
    };
  };
  const remove = async (name: string) => stored.delete(name);
  vi.stubGlobal('caches', { open, keys: async () => [...stored.keys()], delete: remove });
  return stored;
}

/** In place of `BroadcastChannel`, whose messages would come to the scripts of other test files. */
class Channel extends EventTarget {
  static readonly all = new Set<Channel>();

  constructor() {
    super();
    Channel.all.add(this);
  }

  postMessage(data: unknown): void {
    const others = [...Channel.all].filter((one) => one !== this);
    queueMicrotask(() => others.forEach((one) => one.dispatchEvent(new MessageEvent('message', { data }))));
  }

  close(): void {
    Channel.all.delete(this);
  }
}
Object.assign(globalThis, { BroadcastChannel: Channel });
