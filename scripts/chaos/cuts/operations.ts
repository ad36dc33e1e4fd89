import { randomUUID } from 'node:crypto';
import { connect } from '#db/connect.server.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { APPLICATION_ROLE, OWNER_ROLE } from '#db/embedded/application-role.ts';
import { AppError } from '#app/domain/app-error.ts';
import { moduleOf } from '#tests/support/operation-case.ts';
import { operationCases } from '#tests/support/operation-cases.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { ownerUrl } from '#tests/support/database-url.ts';
import type { Result, ScriptedFault } from '../fault.ts';
import { TcpProxy } from '../lab/tcp-proxy.ts';
import { cutEachStatement, emptyResult, type Outcome } from './each-statement.ts';
import type { ChoosePlaces } from './place.ts';
import { countRows } from './row-counts.ts';

/** Operations that read a photo, which takes seconds; their form is cut among the requests. */
const TOO_SLOW = ['meters/scan-meter'];

export const cutOperations: ScriptedFault = {
  name: 'cut-each-operation',
  does: 'The connection cut before and after each statement of each operation of the domain, one by one.',
  run: async (lab) => {
    const url = new URL(lab.postgres.url);
    url.pathname = '/operations';
    await lab.postgres.asSuperuser(`create database operations owner ${OWNER_ROLE}`);
    const db = connect(ownerUrl(url.href), { max: 2 });
    await migrateToLatest(db, { product: APPLICATION_ROLE }).finally(() => db.destroy());
    return cutAllOperations(lab.postgres.socket, (port) => lab.postgres.urlAt(port, 'operations'), {
      without: TOO_SLOW,
    });
  },
};

/** Runs every operation but those named in `without`, on a migrated database of their own behind `target`. */
export async function cutAllOperations(
  target: string | number,
  urlAt: (port: number) => string,
  { without = [], choose }: { without?: readonly string[]; choose?: ChoosePlaces | undefined } = {},
): Promise<Result> {
  const proxy = await TcpProxy.start(target);
  const db = connect(urlAt(proxy.port), { max: 2 });
  const result = emptyResult();
  const bench = {
    decide: (decide: typeof proxy.decide) => (proxy.decide = decide),
    countRows: () => countRows(db),
    choose,
  };
  try {
    for (const { name, role, prepare } of operationCases(db)) {
      if (without.includes(moduleOf({ name }))) continue;
      const one = {
        name,
        repeatsWithoutKey: false,
        prepare: async () => {
          const actor = await makeUser(db, await makeSchool(db), role);
          const operate = await prepare(actor);
          const key = randomUUID();
          return () => outcomeOf(operate(actor, key));
        },
      };
      await cutEachStatement(bench, one, result);
    }
    return result;
  } finally {
    await db.destroy();
    await proxy.stop();
  }
}

async function outcomeOf(work: Promise<object>): Promise<Outcome> {
  try {
    await work;
    return { kind: 'done', text: '' };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { kind: error instanceof AppError ? 'refused' : 'failed', text };
  }
}
