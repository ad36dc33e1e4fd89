import type { Locator, Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { saveDraft } from '#app/domain/drafts.server.ts';
import { CHECK_OUT_DRAFT_KEY } from '#app/domain/flights/start-flight.server.ts';
import type { JourneyContext } from './journey.ts';
import type { School } from './school.ts';

// What the camera's dialog shows, as its journeys find it.
export const cameraDialog = (page: Page) => page.getByRole('dialog', { name: /^Photo of the/ });
export const pressInDialog = (page: Page, name: string) =>
  cameraDialog(page).getByRole('button', { name, exact: true }).click();
export const dialogError = (page: Page) => cameraDialog(page).getByRole('alert');
export const openCameraButton = (page: Page): Locator => page.getByRole('button', { name: 'Open Camera' }).first();

/** A student at the wizard's second step, with an aircraft chosen. */
export async function openMetersStep(
  { db, signIn, visit, school }: JourneyContext,
  columns: Parameters<School['aircraft']>[0] = {},
) {
  const pilot = await school.user('student');
  const plane = await school.aircraft(columns);
  await signIn(pilot);
  await saveDraft(db, pilot, CHECK_OUT_DRAFT_KEY, [['aircraftId', String(plane.id)]]);
  await visit('/flight-log?step=1');
  return { pilot, plane };
}

/** Opens the camera for the Hobbs meter, and waits until it shows something. */
export async function openCamera(page: Page): Promise<void> {
  await openCameraButton(page).click();
  await waitForPicture(page);
}

export async function waitForPicture(page: Page): Promise<void> {
  await expect(cameraDialog(page).getByRole('button', { name: 'Take Photo' })).toBeVisible();
  await page.waitForFunction(
    () => (document.querySelector('video')?.readyState ?? 0) >= HTMLMediaElement.HAVE_CURRENT_DATA,
  );
}

export async function takePhoto(page: Page): Promise<void> {
  await openCamera(page);
  await pressInDialog(page, 'Take Photo');
  await expect(cameraDialog(page).getByRole('img', { name: 'Photo of the Hobbs meter as taken' })).toBeVisible();
}

/** Keeps what the pages of this browser ask of the camera, and the streams they get, where `liveTracks` finds them. */
export async function watchCamera(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.camera = { asked: [], streams: [] };
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      window.camera.asked.push(constraints);
      const stream = await open(constraints);
      window.camera.streams.push(stream);
      return stream;
    };
  });
}

/** How many cameras were opened, and how many tracks of them still run. */
export function cameraTracks(page: Page) {
  return page.evaluate(() => {
    const all = window.camera.streams.flatMap((stream) => stream.getTracks());
    return { opened: all.length, live: all.filter(({ readyState }) => readyState === 'live').length };
  });
}

declare global {
  interface Window {
    camera: { asked: unknown[]; streams: MediaStream[] };
  }
}
