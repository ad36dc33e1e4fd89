import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, describe, expect, it } from 'vitest';
import { testDatabase } from '#tests/support/database.ts';
import { ended } from '#tests/support/ended.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { startCommand } from '#tests/support/program.ts';
import { insertScannedPhoto } from '#tests/support/scanned-photo.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db, url: DATABASE_URL } = await testDatabase();
const folder = await mkdtemp(path.join(tmpdir(), 'labels-'));
afterAll(() => rm(folder, { recursive: true }));

async function run(...words: string[]) {
  const program = startCommand('meters:export', words, { env: { DATABASE_URL } });
  return { code: await program.ended(), output: program.output() };
}

describe('npm run meters:export', () => {
  it('meters:export says how it is used, and that it needs one school', async () => {
    expect(await run()).toMatchObject(ended(1, 'npm run meters:export --'));
    expect(await run(folder)).toMatchObject(ended(1, 'there are 0 schools'));
    expect(await run('--school', 'None', folder)).toMatchObject(ended(1, 'called None'));
  });

  it("meters:export writes the readings that the school's pilots confirmed, and none of another school (C20)", async () => {
    const schoolId = await makeSchool(db, { name: 'Bay Flyers' });
    const pilot = await makeUser(db, schoolId);
    const aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N512FL' });
    const stranger = await makeUser(db, await makeSchool(db, { name: 'Other' }));
    const foreignId = await makeAircraft(db, stranger.schoolId);
    const scanned = (detected: string, bytes: string, meterType: 'hobbs' | 'tachometer' = 'hobbs') =>
      insertScannedPhoto(db, pilot, { aircraftId, meterType, detected, bytes });
    const hobbs = await scanned('1234.5', 'hobbs');
    const tach = await scanned('990.1', 'tach', 'tachometer');
    await scanned('7', 'never confirmed');
    const cancelled = { voided_at: new Date(), voided_by: pilot.id, void_reason: 'Rain' };
    const taken = await scanned('8', 'of a cancelled check-out');
    await makeFlight(db, pilot, aircraftId, { ...cancelled, start_hobbs: '8', start_hobbs_photo_id: taken });
    await makeFlight(db, pilot, aircraftId, {
      start_hobbs: '1234.6',
      start_hobbs_photo_id: hobbs,
      end_hobbs: '1235.6',
      end_tach: '990.1',
      end_tach_photo_id: tach,
      completed_at: new Date(Date.now() + 1000),
    });
    const theirs = { aircraftId: foreignId, meterType: 'hobbs', detected: '5', bytes: 'foreign' } as const;
    const foreign = await insertScannedPhoto(db, stranger, theirs);
    await makeFlight(db, stranger, foreignId, { start_hobbs_photo_id: foreign });

    expect(await run('--school', 'Bay Flyers', folder)).toMatchObject(ended(0, '2 photos'));
    const rows = parse(await readFile(path.join(folder, 'labels.csv'), 'utf8'), { columns: true });
    const nothing = { counter: '', digits: '' };
    const shared = { aircraft: 'N512FL', confidence: '0.61', taken: expect.stringMatching(/Z$/), ...nothing };
    expect(rows).toEqual([
      { ...shared, file: `photos/${hobbs}.jpg`, reading: '1234.6', meter: 'hobbs', detected: '1234.5' },
      { ...shared, file: `photos/${tach}.jpg`, reading: '990.1', meter: 'tachometer', detected: '990.1' },
    ]);
    expect(await readFile(path.join(folder, `photos/${tach}.jpg`), 'utf8')).toBe('tach');
  });

  it('meters:export --given writes the counters of schools that agreed, and nothing that says whose they are (B1315)', async () => {
    const given = await mkdtemp(path.join(folder, 'given-'));
    for (const [name, gives_meter_photos] of [
      ['Given Flyers', true],
      ['Kept Flyers', false],
    ] as const) {
      const pilot = await makeUser(db, await makeSchool(db, { name, gives_meter_photos }));
      const aircraftId = await makeAircraft(db, pilot.schoolId);
      const scan = { aircraftId, meterType: 'hobbs', detected: '1234.5', bytes: name } as const;
      const photo = await insertScannedPhoto(db, pilot, scan);
      const owned = { school_id: pilot.schoolId, user_id: pilot.id };
      const crop = { ...owned, content: Buffer.from(`crop of ${name}`), width: 1, height: 1 };
      const { id: crop_id } = await db.insertInto('photos').values(crop).returning('id').executeTakeFirstOrThrow();
      await db.updateTable('scans').set({ crop_id, digits: 6 }).where('photo_id', '=', photo).execute();
      await makeFlight(db, pilot, aircraftId, { start_hobbs: '1234.6', start_hobbs_photo_id: photo });
    }
    expect(await run('--given', given)).toMatchObject(ended(0, '1 counters'));
    expect(parse(await readFile(path.join(given, 'labels.csv'), 'utf8'), { columns: true })).toEqual([
      { counter: 'counters/1.jpg', digits: '012346', reading: '1234.6', meter: 'hobbs' },
    ]);
    expect(await readFile(path.join(given, 'counters/1.jpg'), 'utf8')).toBe('crop of Given Flyers');
    expect(await readdir(given)).toEqual(['counters', 'labels.csv']);
  });
});
