export const cameraMessages = {
  noAccess: (reason: string) => `Failed to access camera: ${reason}. Please ensure you've granted permission.`,
  noVideo: 'Failed to start video stream. Please try again.',
  notReady: 'Camera stream not ready. Please try again.',
  noCanvas: 'Could not initialize canvas context',
  notCaptured: 'Failed to capture photo. Please try again.',
} as const;

/** Thrown with a message for the user. */
export class CameraError extends Error {}

export function messageOf(error: unknown, fallback: string): string {
  return error instanceof CameraError ? error.message : fallback;
}
