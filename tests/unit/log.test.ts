import { expect, it } from 'vitest';
import { errorForLog } from '#app/server/log.server.ts';

it('a database that is away is logged without a stack, with what each of its addresses said (B1534)', () => {
  const refused = (address: string) =>
    Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED', syscall: 'connect' });
  const [four, six] = [refused('127.0.0.1:5432'), refused('::1:5432')];
  expect(errorForLog(four)).toEqual({ type: 'Error', message: four.message, code: 'ECONNREFUSED' });
  const both = Object.assign(new AggregateError([six, four]), { code: 'ECONNREFUSED' });
  expect(errorForLog(both)).toMatchObject({ message: `${six.message}, ${four.message}` });
  expect(JSON.stringify(errorForLog(both))).not.toContain('log.test');
});

it('any other error is logged with its stack (B1534)', () => {
  expect(errorForLog(new Error('a defect'))).toMatchObject({ stack: expect.stringContaining('log.test') });
});
