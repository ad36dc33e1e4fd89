import { get } from 'node:http';
import { once } from 'node:events';
import { afterEach, beforeEach, it, vi } from 'vitest';

// What msw says of a call is expected here.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

it.fails('a test fails that fetches from another machine, even where its code survives that', async () => {
  await fetch('https://flightline.example/').catch(() => {});
});

it.fails('a test fails that asks another machine by node:http, even where its code survives that', async () => {
  await once(get('http://192.0.2.1/'), 'error').catch(() => {});
});
