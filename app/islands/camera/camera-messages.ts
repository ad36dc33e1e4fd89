/** What goes wrong with a camera, to the letter of spec §5 and §8. */
export const words = {
  noAccess: (reason: string) => `Failed to access camera: ${reason}. Please ensure you've granted permission.`,
  noVideo: 'Failed to start video stream. Please try again.',
  notReady: 'Camera stream not ready. Please try again.',
  noCanvas: 'Could not initialize canvas context',
  notCaptured: 'Failed to capture photo. Please try again.',
} as const;

/** A failure whose message is for people. */
export class Told extends Error {}

/** What to tell of a failure: its own words where it has some. */
export function toldOf(error: unknown, otherwise: string): string {
  return error instanceof Told ? error.message : otherwise;
}
