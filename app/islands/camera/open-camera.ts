import { CameraError, cameraMessages } from './captured-photo.ts';

const REAR_CAMERA = { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } };

/** Opens the rear camera, or else any other, until the signal aborts. Throws CameraError. */
export async function openCamera(signal: AbortSignal): Promise<MediaStream> {
  const stream = await openRearOrAnyCamera().catch((error: unknown) => {
    throw new CameraError(cameraMessages.noAccess(reasonOf(error)));
  });
  const stop = () => stream.getTracks().forEach((track) => track.stop());
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop);
  return stream;
}

async function openRearOrAnyCamera(): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia({ video: REAR_CAMERA });
  } catch (error) {
    // A second request would prompt again after the user has refused.
    if (error instanceof DOMException && error.name === 'NotAllowedError') throw error;
    return navigator.mediaDevices.getUserMedia({ video: true });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.message || error.name).replace(/\.$/, '') : String(error);
}
