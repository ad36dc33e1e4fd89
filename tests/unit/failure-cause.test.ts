import { expect, it } from 'vitest';
import { causeOfStatus, failureCauseOf } from '#app/server/observability/failure-cause.ts';
import { routePatternOf, setRoutes } from '#app/server/observability/route-patterns.server.ts';

const coded = (code: string) => Object.assign(new Error('x'), { code });

it('an error counts by what has failed: the database, its disk, the pool, room or a defect (B545)', () => {
  const causes = [
    ...['ECONNREFUSED', '57P01', '25006', '55P03', '53300'].map((code) => [coded(code), 'database'] as const),
    [new Error('Connection terminated unexpectedly'), 'database'],
    ...['53100', 'ENOSPC', 'EDQUOT', 'EIO'].map((code) => [coded(code), 'disk'] as const),
    [new Error('timeout exceeded when trying to connect'), 'pool'],
    [Object.assign(coded('ENOENT'), { syscall: 'connect' }), 'database'],
    [Object.assign(coded('ENOENT'), { syscall: 'open' }), 'defect'],
    ...['EMFILE', 'ENFILE'].map((code) => [coded(code), 'busy'] as const),
    [coded('42703'), 'defect'],
    [new TypeError('x is undefined'), 'defect'],
    ['thrown text', 'defect'],
  ] as const;
  for (const [error, cause] of causes) expect(failureCauseOf(error), String(error)).toBe(cause);
  // An answer without a known error counts by its status.
  expect([200, 404, 500, 502, 503].map(causeOfStatus)).toEqual([undefined, undefined, 'defect', 'photo', 'busy']);
});

it('a route is found by the address of its page, its data, in any case and with a slash at the end (B540)', () => {
  const paths = {
    root: '',
    index: '',
    new: 'flights/new',
    flight: 'flights/:id',
    close: 'flights/:id/close',
    rest: '*',
  };
  const parentOf = (id: string) => (id === 'root' ? undefined : 'root');
  const routes = Object.entries(paths).map(([id, path]) => [id, { id, path, parentId: parentOf(id) }]);
  setRoutes(Object.fromEntries(routes));
  const found = {
    '/': '/',
    '/_root.data': '/',
    '/flights/new': '/flights/new',
    '/flights/7?x=/flights/new': '/flights/:id',
    '/Flights/7/CLOSE.data': '/flights/:id/close',
    '/flights/7/close/': '/flights/:id/close',
    '/flights/7/8': 'unknown',
    '/favicon.svg': 'file',
    '/__manifest?p=/': 'file',
  };
  for (const [address, route] of Object.entries(found))
    expect([address, routePatternOf(address)]).toEqual([address, route]);
});
