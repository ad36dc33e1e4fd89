/** What goes wrong with a camera, to the letter of spec §5 and §8. */
export const cameraMessages = {
  noAccess: (reason: string) => `Failed to access camera: ${reason}. Please ensure you've granted permission.`,
  noVideo: 'Failed to start video stream. Please try again.',
  notReady: 'Camera stream not ready. Please try again.',
  noCanvas: 'Could not initialize canvas context',
  notCaptured: 'Failed to capture photo. Please try again.',
} as const;

/** A failure whose message is for people. */
export class CameraError extends Error {}

/** What to tell of a failure: its own words where it has some. */
export function messageOf(error: unknown, otherwise: string): string {
  return error instanceof CameraError ? error.message : otherwise;
}
