import { saveDraft } from '#app/domain/drafts.server.ts';
import { CHECK_OUT_DRAFT_KEY } from '#app/domain/flights/start-flight.server.ts';
import { expect } from '#tests/support/expect.ts';
import { insertScannedPhoto } from '#tests/support/scanned-photo.ts';
import { openMetersStep } from './support/camera.ts';
import { type JourneyContext, mainJourney } from './support/journey.ts';
import { step } from './support/step.ts';
import { buttonNamed, hobbsField, tachField } from './support/wizard.ts';

mainJourney(
  'a tapped last figure and the reading agree, also typed over or chosen back (B1310, B1313, B1420)',
  async (ctx) => {
    const { page, mode, visit } = ctx;
    await openDoubtfulReading(ctx);
    const choice = (reading: string) => page.getByLabel(reading, { exact: true });
    const again = async () => {
      if (mode === 'with script') return;
      // The tach is missing, so that the page comes back.
      await buttonNamed(page, 'Next').click();
    };
    await step('choose, and choose back', async () => {
      for (const reading of ['1235.0', '1234.9', '1235.0']) {
        await choice(reading).check();
        await again();
        await expect(hobbsField(page)).toHaveValue(reading);
        await expect(choice(reading)).toBeChecked();
      }
    });
    await step('type over it', async () => {
      await hobbsField(page).fill('1236.1');
      await again();
      await expect(choice('1234.9')).not.toBeChecked();
      await expect(choice('1235.0')).not.toBeChecked();
      await hobbsField(page).fill('1234,9');
      await again();
      await expect(choice('1234.9')).toBeChecked();
    });
    await step('go on', async () => {
      await tachField(page).fill('98.7');
      await buttonNamed(page, 'Next').click();
      await expect(page).toHaveURL(/step=2/);
      await visit('/flight-log?step=1');
      await expect(choice('1234.9')).toBeChecked();
    });
  },
);

/** At the readings, with a photo whose last drum stands between 9 and 0. */
async function openDoubtfulReading(ctx: JourneyContext): Promise<void> {
  const { page, db, visit } = ctx;
  const { pilot, plane } = await openMetersStep(ctx);
  const clear = [...'1234'].map((figure) => ({ figure, confidence: '0.99', other: null }));
  const figures = [...clear, { figure: '9', confidence: '0.90', other: '0' }];
  const read = { aircraftId: plane.id, meterType: 'hobbs', detected: '1234.9', bytes: 'jpeg', figures } as const;
  const photoId = await insertScannedPhoto(db, pilot, read);
  const { id } = await db.selectFrom('scans').select('id').where('photo_id', '=', photoId).executeTakeFirstOrThrow();
  const filled = { aircraftId: String(plane.id), startHobbsTime: '1234.9', startHobbsScan: String(id) };
  await saveDraft(db, pilot, CHECK_OUT_DRAFT_KEY, Object.entries(filled));
  await visit('/flight-log?step=1');
  await expect(page.getByText('The last drum stands between 9 and 0.')).toBeVisible();
}
