import { expect, inject, it } from 'vitest';
import { cutAllOperations } from '../../scripts/chaos/cuts/operations.ts';
import { chooseCuts, seed } from '#tests/support/cut-sample.ts';
import { testDatabase } from '#tests/support/database.ts';
import { socketOf, urlBehind } from '#tests/support/postgres-proxy.ts';

const { url } = await testDatabase();

it('an operation cut at any statement leaves all or nothing, and is done once when sent again with its key (B560)', async () => {
  const target = socketOf(inject('postgres').url);
  const { acknowledged, ...found } = await cutAllOperations(
    'path' in target ? target.path : target.port,
    (port) => urlBehind(url, port),
    { choose: chooseCuts },
  );
  expect(found, `SEED=${seed}`).toMatchObject({ lost: 0, doubled: 0, toldNo: 0, problems: [] });
  // Each is cut at least at a statement and on both sides of its commit.
  expect(acknowledged).toBeGreaterThan(27 * 3);
});
