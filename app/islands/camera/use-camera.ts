import { useEffect, useRef, useState } from 'react';
import { type CapturedPhoto, photoFromFile } from './captured-photo.ts';
import { openCamera } from './open-camera.ts';
import type { PhotoHandler } from './photo-handlers.ts';
import { messageOf, cameraMessages } from './camera-messages.ts';

/** Where the dialog stands; `told` is what went wrong on the way there. */
export type CameraState = { error?: string | undefined } & (
  | { name: 'closed' | 'starting' }
  | { name: 'live'; stream: MediaStream }
  | { name: 'taken'; photo: CapturedPhoto; busy?: true }
);

/** The camera's stages and what leads from one to the next. Leaving a stage ends what it has under way. */
export function useCamera(use: PhotoHandler, done: (finish: () => void) => void) {
  const [stage, setStage] = useState<CameraState>({ name: 'starting' });
  const pendingWork = useRef(new AbortController());

  const enterState = (next: CameraState): AbortSignal => {
    pendingWork.current.abort();
    pendingWork.current = new AbortController();
    setStage(next);
    return pendingWork.current.signal;
  };

  const open = async () => {
    const signal = enterState({ name: 'starting' });
    try {
      const stream = await openCamera(signal);
      if (signal.aborted) return;
      const unplugged = () => enterState({ name: 'closed', error: cameraMessages.notReady });
      for (const track of stream.getTracks()) track.addEventListener('ended', unplugged, { signal });
      setStage({ name: 'live', stream });
    } catch (error) {
      if (!signal.aborted) enterState({ name: 'closed', error: messageOf(error, cameraMessages.noVideo) });
    }
  };

  /** Where the photo cannot be made, the stage stays. */
  const take = async (making: Promise<CapturedPhoto>) => {
    const { signal } = pendingWork.current;
    setStage((current) => ({ ...current, error: undefined }));
    try {
      const photo = await making;
      if (!signal.aborted) enterState({ name: 'taken', photo });
    } catch (error) {
      if (!signal.aborted) setStage((current) => ({ ...current, error: messageOf(error, cameraMessages.notCaptured) }));
    }
  };

  const send = async (photo: CapturedPhoto) => {
    const signal = enterState({ name: 'taken', photo, busy: true });
    try {
      const finish = await use(photo, signal);
      if (!signal.aborted) done(finish);
    } catch (error) {
      if (!signal.aborted) enterState({ name: 'taken', photo, error: messageOf(error, cameraMessages.notCaptured) });
    }
  };

  useEffect(() => {
    void open();
    return () => pendingWork.current.abort();
  }, []);

  // No camera runs unseen; a photo that is taken may wait.
  const running = stage.name === 'starting' || stage.name === 'live';
  useEffect(() => {
    if (!running) return;
    const watching = new AbortController();
    const leave = () => enterState({ name: 'closed' });
    const hide = () => document.hidden && leave();
    document.addEventListener('visibilitychange', hide, { signal: watching.signal });
    window.addEventListener('pagehide', leave, { signal: watching.signal });
    return () => watching.abort();
  }, [running]);

  const noVideo = () => void enterState({ name: 'closed', error: cameraMessages.noVideo });
  return { stage, open, noVideo, take, choose: (file: File) => take(photoFromFile(file)), send };
}
