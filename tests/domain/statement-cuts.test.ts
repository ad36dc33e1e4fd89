import { expect, inject, it } from 'vitest';
import { cutAllOperations } from '../../scripts/chaos/cuts/operations.ts';
import { testDatabase } from '#tests/support/database.ts';
import { socketOf, urlBehind } from '#tests/support/postgres-proxy.ts';

const { url } = await testDatabase();

it('B560: every operation whose connection is cut before any of its statements, or after its commit, leaves all or nothing, and is done once and gets its first answer when it is sent again with its key', async () => {
  const target = socketOf(inject('postgres').url);
  const { acknowledged, ...found } = await cutAllOperations('path' in target ? target.path : target.port, (port) =>
    urlBehind(url, port),
  );
  expect(found).toMatchObject({ lost: 0, doubled: 0, toldNo: 0, problems: [] });
  // Each has at least its begin, a statement and its commit.
  expect(acknowledged).toBeGreaterThan(27 * 3);
});
