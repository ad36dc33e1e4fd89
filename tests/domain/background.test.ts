import { expect, it, onTestFinished } from 'vitest';
import { startMailWorker } from '#app/background/mail-worker.server.ts';
import { startSchoolRemovals } from '#app/background/remove-schools.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeSchool } from '#tests/support/school.ts';

const { db } = await testDatabase();

it('a deletion of a school that was stopped goes on as soon as a process starts (B853)', async () => {
  const schoolId = await makeSchool(db, { removal_due_at: new Date(Date.now() - 1000) });
  startSchoolRemovals(db);
  onTestFinished(() => {
    clearInterval(globalThis.removalTimer);
    globalThis.removalTimer = undefined;
  });
  const left = () => db.selectFrom('schools').select('id').where('id', '=', schoolId).execute();
  await expect.poll(left, { timeout: 120_000 }).toEqual([]);
});

it('a shutdown waits for the password link that is being mailed, and for no other (C23, B989)', async () => {
  const asked = ['anna', 'ben', 'cleo'].map((username_key) => ({ username_key }));
  await db.insertInto('password_link_requests').values(asked).execute();
  startMailWorker(db);
  onTestFinished(() => {
    globalThis.mailWorkerStarted = undefined;
  });
  await globalThis.shutdownHandlers?.pop()?.stop();
  expect(await db.selectFrom('password_link_requests').select('username_key').execute()).toEqual(asked.slice(1));
});
