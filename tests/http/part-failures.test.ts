import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { runInRequestContext } from '#app/server/observability/request-context.server.ts';
import { loadOrFailure } from '#app/server/error-responses.server.ts';
import { PartFailure } from '#app/ui/page/part-failure.tsx';

it('a part of a page that fails names the request, which its notice shows (B807)', async () => {
  const request = new IncomingMessage(new Socket());
  request.headers = { 'x-request-id': 'the-request' };
  const part = await runInRequestContext(request, () =>
    loadOrFailure(Promise.reject(new Error('gone')), 'Failed to fetch it'),
  );
  expect(part).toEqual({ value: null, failure: 'Failed to fetch it', reference: 'the-request' });
  const shown = renderToString(createElement(PartFailure, { part }));
  expect(
    shown
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ).toBe('Failed to fetch it Reference the-request');
});

it('a part of a page that was loaded shows no notice (B807)', async () => {
  const part = await loadOrFailure(Promise.resolve(['it']), 'Failed to fetch it');
  expect(part).toEqual({ value: ['it'], failure: null });
  expect(renderToString(createElement(PartFailure, { part }))).toBe('');
});
