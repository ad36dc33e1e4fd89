import { expect, it } from 'vitest';
import { AppError } from '#app/domain/app-error.ts';
import { preparePhoto } from '#app/domain/meters/photos.server.ts';
import { corruptedPictures } from '#tests/support/corrupted-pictures.ts';
import { CORRUPTIBLE } from '#tests/support/odd-pictures.ts';

const CORRUPTED = 300;

it('each of 300 corrupted pictures is decoded, or refused as unreadable or too large (B258, B259, C48)', async () => {
  const pictures = corruptedPictures(CORRUPTIBLE, CORRUPTED);
  const refusals: unknown[] = [];
  for (const picture of pictures) {
    const refusal = await preparePhoto(picture).then(
      () => undefined,
      (error) => error,
    );
    if (refusal) refusals.push(refusal);
  }
  const unexpected = refusals.filter(
    (error) => !(error instanceof AppError && ['invalid', 'tooLarge'].includes(error.code)),
  );
  expect(unexpected).toEqual([]);
  // They are corrupted, and not so much that no decoder looks into them.
  expect(refusals.length).toBeGreaterThan(CORRUPTED / 3);
  expect(refusals.length).toBeLessThan((CORRUPTED * 9) / 10);
});
