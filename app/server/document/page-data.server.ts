import type { EntryContext } from '@remix-run/node';

/**
 * Puts the loaders' data, which RemixServer would stream after the page, where it looks first: `renderToString` waits for
 * nothing. The property is typed and not documented; tests/http/page-data.test.ts says when RemixServer reads it no more.
 */
export async function preloadPageData({ serverHandoffStream, renderMeta }: EntryContext): Promise<void> {
  if (!serverHandoffStream || !renderMeta) return;
  const cache: NonNullable<typeof renderMeta.streamCache> = (renderMeta.streamCache = {});
  const reader = serverHandoffStream.getReader();
  const decoder = new TextDecoder();
  for (let index = 0, done = false; !done; index++) {
    const chunk = await reader.read();
    done = chunk.done;
    cache[index] = Object.assign(Promise.resolve(), {
      result: { done, value: decoder.decode(chunk.value, { stream: !done }) },
    });
  }
  reader.releaseLock();
}
