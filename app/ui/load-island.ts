import { ISLAND_RETRY_MS } from '#app/limits.ts';

/** Loads a script that comes after the page, again and again if the network fails. */
export async function loadIsland<Island>(load: () => Promise<Island>): Promise<Island> {
  let next = load;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await next();
    } catch (error) {
      // Chromium remembers for an address that its module did not come. Its error names the address, as Firefox's does.
      const [address] = /https?:[^\s?]+/.exec(String(error)) ?? [];
      next = address === undefined ? load : () => import(/* @vite-ignore */ `${address}?again=${attempt}`);
      await new Promise((resolve) => window.setTimeout(resolve, ISLAND_RETRY_MS));
    }
  }
}
