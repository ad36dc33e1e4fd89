import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { AppError } from '#app/domain/app-error.ts';
import { toErrorView, loadOrFailure } from '#app/server/error-responses.server.ts';
import { DatabaseTimeoutError } from '#db/waiting-budget.ts';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { runInRequestContext } from '#app/server/observability/request-context.server.ts';
import { PartFailure } from '#app/ui/page/part-failure.tsx';

const unreachable = 'The database cannot be reached. Please try again in a moment.';
const slow = 'The database took too long to answer. Please try again in a moment.';
const locked = 'Somebody else is changing this at the moment. Please try again in a moment.';
const readOnly = 'Nothing can be saved at the moment. Please try again in a moment.';
const full = 'The server has no space left. Please try again later.';
const crowded = 'Too many requests are waiting for the database. Please try again in a moment.';

function fromPostgres(code: string): Error {
  return Object.assign(new pg.DatabaseError('refused', 1, 'error'), { code, severity: 'ERROR' });
}

function fromSystem(code: string, syscall = 'connect'): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
}

describe('an error that is the fault of the database', () => {
  it.each([
    [readOnly, ['25006']],
    [slow, ['57014', '25P03', '25P04']],
    [locked, ['55P03', '40001', '40P01']],
    [full, ['53100', '53200', '58030']],
    [crowded, ['53300']],
    [unreachable, ['57P01', '57P02', '57P03', '08006', '08P01', '28P01', '28000', '3D000']],
  ])('it is 503 with Retry-After, and says "%s", where its SQLSTATE is of %j (B503, B1531)', (text, codes) => {
    const view = { status: 503, text, fields: {}, headers: { 'retry-after': '1' } };
    for (const code of codes) expect(toErrorView(fromPostgres(code)), code).toEqual(view);
  });

  it('it is 503 with Retry-After and the words for it where no statement has reached Postgres (B503)', () => {
    const connecting = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE', 'ENOENT'];
    const errors: [Error, string][] = [
      ...connecting.map((code): [Error, string] => [fromSystem(code), unreachable]),
      ...['EAI_AGAIN', 'ENOTFOUND'].map((code): [Error, string] => [fromSystem(code, 'getaddrinfo'), unreachable]),
      [fromSystem('ENOSPC', 'write'), full],
      ...['CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'].map(
        (code): [Error, string] => [fromSystem(code), unreachable],
      ),
      [new Error('The server does not support SSL connections'), unreachable],
      [new Error('Client has encountered a connection error and is not queryable'), unreachable],
      [new Error('Connection terminated unexpectedly'), unreachable],
      [new Error('Connection terminated due to connection timeout'), unreachable],
      [new Error('timeout exceeded when trying to connect'), crowded],
      [new Error('Query read timeout'), slow],
      [new DatabaseTimeoutError('no answer within 5000 ms'), slow],
    ];
    for (const [error, text] of errors)
      expect(toErrorView(error), error.message).toMatchObject({ status: 503, text, headers: { 'retry-after': '1' } });
  });

  it('a screen may say its own words in place of the cause, and any want of room when to try again (B503)', () => {
    const view = toErrorView(fromPostgres('25006'), 'Failed to complete flight');
    const headers = { 'retry-after': '1' };
    expect(view).toMatchObject({ status: 503, text: 'Failed to complete flight', headers });
    expect(toErrorView(new AppError('unavailable', 'Export failed'))).toMatchObject({ status: 503, headers });
  });
});

it('any other error is a defect, 500 without Retry-After (B503)', () => {
  const ofPostgres = ['42P01', '23514', 'XX000'].map(fromPostgres);
  const view = { status: 500, text: 'Something went wrong. Please try again.', fields: {}, headers: {} };
  for (const error of [...ofPostgres, fromSystem('ENOENT', 'open'), new TypeError('x is undefined')])
    expect(toErrorView(error), error.message).toEqual(view);
});

it('a part of a page that fails names the request, which its notice shows; one that was loaded has none (B807)', async () => {
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
  const loaded = await loadOrFailure(Promise.resolve(['it']), 'Failed to fetch it');
  expect(loaded).toEqual({ value: ['it'], failure: null });
  expect(renderToString(createElement(PartFailure, { part: loaded }))).toBe('');
});
