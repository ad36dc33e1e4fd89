import { expect, vi } from 'vitest';
import { z } from 'zod';
import { TOAST_DURATION_MS } from '#app/limits.ts';
import { LONG_TIMEOUT_MS } from '#tests/support/expect.ts';

/** The commands of W3C WebDriver that a flight needs: their names in Firefox's Marionette, their paths in HTTP. */
export const COMMANDS = {
  Navigate: 'url',
  ExecuteScript: 'execute/sync',
  FindElement: 'element',
  ElementClick: 'element/{id}/click',
  ElementClear: 'element/{id}/clear',
  ElementSendKeys: 'element/{id}/value',
  PerformActions: 'actions',
};

/** Sends a command to the one window of a browser; the value of the answer. */
export type Send = (command: keyof typeof COMMANDS, parameters: Parameters) => Promise<unknown>;

interface Parameters {
  /** The element's. */
  id?: string;
  [name: string]: unknown;
}

export const PATIENCE = { timeout: LONG_TIMEOUT_MS, interval: 50 };
const elementReference = z.record(z.string(), z.string());

/** The page of any browser; its parts are named by XPath, and each act waits until it can be done. */
export function browserPage(send: Send) {
  const find = async (xpath: string) => {
    const reference = elementReference.parse(await send('FindElement', { using: 'xpath', value: xpath }));
    return { reference, id: Object.values(reference).join() };
  };
  const whenReady = (act: () => Promise<unknown>) => vi.waitFor(act, PATIENCE);
  const ask = (script: string, ...args: unknown[]) => send('ExecuteScript', { script, args });
  return {
    click: (xpath: string) => whenReady(async () => send('ElementClick', { id: (await find(xpath)).id })),
    fill: (label: string, text: string) =>
      whenReady(async () => {
        const { id } = await find(fieldOf(label));
        await send('ElementClear', { id });
        await send('ElementSendKeys', { id, text });
      }),
    pointAt: (xpath: string) =>
      whenReady(async () => {
        const move = { type: 'pointerMove', duration: 0, x: 0, y: 0, origin: (await find(xpath)).reference };
        await send('PerformActions', { actions: [{ type: 'pointer', id: 'mouse', actions: [move] }] });
      }),
    shows: (text: string, within = '//body') =>
      expect.poll(() => ask(`${FIRST} return first?.innerText`, within), PATIENCE).toContain(text),
    lacks: (xpath: string) => expect.poll(() => ask(`${FIRST} return !first`, xpath), PATIENCE).toBe(true),
    focuses: (text: string) => expect.poll(() => ask('return document.activeElement.innerText'), PATIENCE).toBe(text),
    /** Waits for script; a toast stays then until the pointer has passed over it, however late a busy machine looks. */
    visit: async (address: string) => {
      await send('Navigate', { url: address });
      await whenReady(() => find('//html[@data-hydrated]'));
      await ask(HOLD_TOASTS, TOAST_DURATION_MS);
    },
  };
}

export const fieldOf = (label: string) => `//*[@id=//label[normalize-space()='${label}']/@for]`;
export const button = (name: string) => `//button[normalize-space()='${name}' or @aria-label='${name}']`;
/** By how its text begins: more may follow for screen readers. */
export const link = (name: string) => `//a[starts-with(normalize-space(), '${name}')]`;

const FIRST = 'const first = document.evaluate(arguments[0], document, null, 9).singleNodeValue;';
const HOLD_TOASTS = `
  const [held] = arguments;
  const { setTimeout } = window;
  window.setTimeout = (work, ms, ...rest) => (ms === held ? 0 : setTimeout(work, ms, ...rest));`;
