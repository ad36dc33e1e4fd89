import { useEffect, useRef, useState } from 'react';
import { type Photo, photoFrom } from './captured-photo.ts';
import { openCamera } from './open-camera.ts';
import type { UsePhoto } from './photo-handlers.ts';
import { toldOf, words } from './camera-messages.ts';

/** Where the dialog stands; `told` is what went wrong on the way there. */
export type Stage = { told?: string | undefined } & (
  | { name: 'closed' | 'starting' }
  | { name: 'live'; stream: MediaStream }
  | { name: 'taken'; photo: Photo; busy?: true }
);

/** The camera's stages and what leads from one to the next. Leaving a stage ends what it has under way. */
export function useCamera(use: UsePhoto, done: (finish: () => void) => void) {
  const [stage, setStage] = useState<Stage>({ name: 'starting' });
  const underWay = useRef(new AbortController());

  const enter = (next: Stage): AbortSignal => {
    underWay.current.abort();
    underWay.current = new AbortController();
    setStage(next);
    return underWay.current.signal;
  };

  const open = async () => {
    const signal = enter({ name: 'starting' });
    try {
      const stream = await openCamera(signal);
      if (signal.aborted) return;
      const unplugged = () => enter({ name: 'closed', told: words.notReady });
      for (const track of stream.getTracks()) track.addEventListener('ended', unplugged, { signal });
      setStage({ name: 'live', stream });
    } catch (error) {
      if (!signal.aborted) enter({ name: 'closed', told: toldOf(error, words.noVideo) });
    }
  };

  /** Where the photo cannot be made, the stage stays. */
  const take = async (making: Promise<Photo>) => {
    const { signal } = underWay.current;
    setStage((current) => ({ ...current, told: undefined }));
    try {
      const photo = await making;
      if (!signal.aborted) enter({ name: 'taken', photo });
    } catch (error) {
      if (!signal.aborted) setStage((current) => ({ ...current, told: toldOf(error, words.notCaptured) }));
    }
  };

  const send = async (photo: Photo) => {
    const signal = enter({ name: 'taken', photo, busy: true });
    try {
      const finish = await use(photo, signal);
      if (!signal.aborted) done(finish);
    } catch (error) {
      if (!signal.aborted) enter({ name: 'taken', photo, told: toldOf(error, words.notCaptured) });
    }
  };

  useEffect(() => {
    void open();
    return () => underWay.current.abort();
  }, []);

  // No camera runs unseen; a photo that is taken may wait.
  const running = stage.name === 'starting' || stage.name === 'live';
  useEffect(() => {
    if (!running) return;
    const watching = new AbortController();
    const leave = () => enter({ name: 'closed' });
    const hide = () => document.hidden && leave();
    document.addEventListener('visibilitychange', hide, { signal: watching.signal });
    window.addEventListener('pagehide', leave, { signal: watching.signal });
    return () => watching.abort();
  }, [running]);

  const noVideo = () => void enter({ name: 'closed', told: words.noVideo });
  return { stage, open, noVideo, take, choose: (file: File) => take(photoFrom(file)), send };
}
