/** The parts of a service worker's scope that are used; TypeScript has either the page's types or the worker's. */
export interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

interface MessageEventOfPage extends ExtendableEvent {
  data: unknown;
}

interface Events {
  install: ExtendableEvent;
  activate: ExtendableEvent;
  fetch: FetchEvent;
  message: MessageEventOfPage;
  sync: ExtendableEvent;
}

export interface WorkerScope {
  addEventListener<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  /** Background Sync, where the browser has it. */
  registration: { sync?: { register(tag: string): Promise<void> } };
}
