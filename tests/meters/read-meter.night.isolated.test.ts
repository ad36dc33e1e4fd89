import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { toEngineRequest } from '#app/domain/meters/engine-input.server.ts';
import { runEngine, stopEngine } from '#app/domain/meters/engine.server.ts';
import { preparePhoto } from '#app/domain/meters/photos.server.ts';
import { readMeter } from '#app/domain/meters/read-meter.server.ts';
import { stopTesseract } from '#app/domain/meters/tesseract.server.ts';
import { drawBlankPhoto, hourMeter, twoMeters } from '#tests/support/pictures.ts';

afterAll(() => Promise.all([stopEngine(), stopTesseract()]));

const photoOf = async (picture: Buffer) => (await preparePhoto(picture)).content;
const photo = await photoOf(await hourMeter('012345'));

/** The picture on a wall. */
const framed = (picture: Buffer) =>
  sharp(picture).extend({ top: 120, bottom: 120, left: 150, right: 150, background: '#777' }).jpeg().toBuffer();

describe('readMeter', () => {
  it.each(['012345', '004827', '98061'])('the meter %s is read with its last drum as tenths', async (digits) => {
    const { detectedText } = await readMeter(await photoOf(await hourMeter(digits)), { meterType: 'hobbs' });
    expect(detectedText.replace('.', '')).toBe(digits.replace(/^0+/, ''));
    expect(detectedText).toMatch(/^\d+\.\d$/);
  });

  it('a reading has the number of its digits and the crop of the counter', async () => {
    const { digits, crop } = await readMeter(photo, { meterType: 'hobbs' });
    expect(digits).toBe(6);
    const { format, width, height } = await sharp(crop!.content).metadata();
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: crop!.width, height: crop!.height });
    const { detectedText } = await readMeter(await photoOf(await framed(crop!.content)), { meterType: 'hobbs' });
    expect(detectedText).toBe('1234.5');
  });

  it('a crop that reaches one figure further shows the same figures of a counter that is whole (B981)', async () => {
    expect((await runEngine(await toEngineRequest(photo))).best).toMatchObject({ digits: '012345', isCutOff: false });
  });

  it.each([
    ['left', 0.02, '481.2'],
    ['right', 0.52, '739.6'],
  ])('of two counters the one in the frame is read, here on the %s', async (_side, x, reading) => {
    const two = await photoOf(await twoMeters('004812', '007396'));
    const frame = { x, y: 0.42, width: 0.46, height: 0.16 };
    expect(await readMeter(two, { meterType: 'hobbs', frame })).toMatchObject({ detectedText: reading });
  });

  it('of two counters without a frame the one that fits the last reading is read, and the other one is told (B678)', async () => {
    const two = await photoOf(await twoMeters('004812', '007396'));
    for (const [lastReading, detectedText, otherText] of [
      ['480.0', '481.2', '739.6'],
      ['738.1', '739.6', '481.2'],
    ] as const) {
      const reading = await readMeter(two, { meterType: 'hobbs', lastReading });
      expect(reading).toMatchObject({ detectedText, otherText, otherKind: 'other counter' });
    }
  });

  it('the whole photo is searched where the frame holds no counter', async () => {
    const frame = { x: 0, y: 0, width: 0.2, height: 0.1 };
    expect(await readMeter(photo, { meterType: 'hobbs', frame })).toMatchObject({ detectedText: '1234.5' });
  });

  it('a picture of no meter has no reading (C47)', async () => {
    expect(await readMeter(await photoOf(await drawBlankPhoto()), { meterType: 'hobbs' })).toEqual({
      detectedText: '',
      confidence: 0,
    });
  });

  it('a reading shortly after the last one has more confidence, one far away less', async () => {
    const free = await readMeter(photo, { meterType: 'hobbs' });
    const near = await readMeter(photo, { meterType: 'hobbs', lastReading: '1233.1' });
    const far = await readMeter(photo, { meterType: 'hobbs', lastReading: '1134.0' });
    expect([near.detectedText, far.detectedText]).toEqual([free.detectedText, free.detectedText]);
    expect(near.confidence).toBeGreaterThanOrEqual(free.confidence);
    expect(far.confidence).toBeLessThan(free.confidence);
  });

  it('the nets run in another thread and leave the event loop to others', async () => {
    const asked = vi.spyOn(Worker.prototype, 'postMessage');
    onTestFinished(() => asked.mockRestore());
    await readMeter(photo, { meterType: 'hobbs' });
    expect(asked.mock.calls.map(([question]) => question)).toContainEqual(
      expect.objectContaining({ rows: expect.any(Number), columns: expect.any(Number) }),
    );
  });
});

describe('the engine’s thread', () => {
  const question = () => ({ rgb: new Uint8Array(300 * 400 * 3).fill(90), rows: 300, columns: 400 });

  it('a photo that breaks the engine’s thread is 502, and the next one is read', async () => {
    await expect(runEngine({ rgb: new Uint8Array(3), rows: 4, columns: 4 })).rejects.toMatchObject({
      code: 'badGateway',
    });
    expect(await runEngine(question())).toEqual({});
  });

  it('past eight pending photos the engine refuses the next with 503', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => runEngine(question())));
    const refused = answers.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(2);
    expect(refused[0]).toMatchObject({ reason: { code: 'unavailable' } });
  });
});
