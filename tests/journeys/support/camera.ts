import type { Locator, Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { saveDraft } from '#app/domain/drafts.server.ts';
import type { JourneyContext } from './journey.ts';
import type { School } from './school.ts';

// What the camera's dialog shows, as its journeys find it.
export const dialog = (page: Page) => page.getByRole('dialog', { name: /^Photo of the/ });
export const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();
export const errorIn = (page: Page) => dialog(page).getByRole('alert');
export const opener = (page: Page): Locator => page.getByRole('button', { name: 'Open Camera' }).first();

/** A student at the wizard's second step, with an aircraft chosen. */
export async function arriveAtMeters(
  { db, signIn, visit, school }: JourneyContext,
  columns: Parameters<School['aircraft']>[0] = {},
) {
  const pilot = await school.user('student');
  const plane = await school.aircraft(columns);
  await signIn(pilot);
  await saveDraft(db, pilot.id, 'check-out', [['aircraftId', String(plane.id)]]);
  await visit('/flight-log?step=1');
  return { pilot, plane };
}

/** Opens the camera for the Hobbs meter, and waits until it shows something. */
export async function openCamera(page: Page): Promise<void> {
  await opener(page).click();
  await pictureShown(page);
}

export async function pictureShown(page: Page): Promise<void> {
  await expect(dialog(page).getByRole('button', { name: 'Take Photo' })).toBeVisible();
  await page.waitForFunction(
    () => (document.querySelector('video')?.readyState ?? 0) >= HTMLMediaElement.HAVE_CURRENT_DATA,
  );
}

export async function takePhoto(page: Page): Promise<void> {
  await openCamera(page);
  await press(page, 'Take Photo');
  await expect(dialog(page).getByRole('img', { name: 'Photo of the Hobbs meter as taken' })).toBeVisible();
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
export function tracks(page: Page) {
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
