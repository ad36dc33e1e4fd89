import { useEffect, useRef, useState } from 'react';
import { cameraMessages, type CapturedPhoto, messageOf, photoFromFile } from './captured-photo.ts';
import { openCamera } from './open-camera.ts';
import type { PhotoHandler } from './photo-handlers.ts';

export type CameraState = { error?: string | undefined } & (
  | { name: 'off' | 'starting' }
  | { name: 'live'; stream: MediaStream }
  | { name: 'captured'; photo: CapturedPhoto; isSending?: true }
);

/** Runs the camera as a state machine: entering a state aborts what the state before has pending. */
export function useCamera(photoHandler: PhotoHandler, onDone: (finish: () => void) => void) {
  const [state, setState] = useState<CameraState>({ name: 'starting' });
  const pendingWork = useRef(new AbortController());

  const enterState = (next: CameraState): AbortSignal => {
    pendingWork.current.abort();
    pendingWork.current = new AbortController();
    setState(next);
    return pendingWork.current.signal;
  };

  const start = async () => {
    const signal = enterState({ name: 'starting' });
    try {
      const stream = await openCamera(signal);
      if (signal.aborted) return;
      const onUnplugged = () => enterState({ name: 'off', error: cameraMessages.notReady });
      for (const track of stream.getTracks()) track.addEventListener('ended', onUnplugged, { signal });
      setState({ name: 'live', stream });
    } catch (error) {
      if (!signal.aborted) enterState({ name: 'off', error: messageOf(error, cameraMessages.noVideo) });
    }
  };

  const capture = async (photoPromise: Promise<CapturedPhoto>, onCaptured?: (photo: CapturedPhoto) => void) => {
    const { signal } = pendingWork.current;
    setState((current) => ({ ...current, error: undefined }));
    try {
      const photo = await photoPromise;
      if (signal.aborted) return;
      enterState({ name: 'captured', photo });
      onCaptured?.(photo);
    } catch (error) {
      if (!signal.aborted) setState((current) => ({ ...current, error: messageOf(error, cameraMessages.notCaptured) }));
    }
  };

  const send = async (photo: CapturedPhoto) => {
    const signal = enterState({ name: 'captured', photo, isSending: true });
    try {
      const finish = await photoHandler(photo, signal);
      if (!signal.aborted) onDone(finish);
    } catch (error) {
      if (!signal.aborted) enterState({ name: 'captured', photo, error: messageOf(error, cameraMessages.notCaptured) });
    }
  };

  // The effect runs once, as the dialog opens.
  useEffect(() => {
    void start();
    return () => pendingWork.current.abort();
  }, []);

  // The camera turns off while the page is hidden; a captured photo stays.
  const isRunning = state.name === 'starting' || state.name === 'live';
  useEffect(() => {
    if (!isRunning) return;
    const listeners = new AbortController();
    const turnOff = () => enterState({ name: 'off' });
    const turnOffIfHidden = () => document.hidden && turnOff();
    document.addEventListener('visibilitychange', turnOffIfHidden, { signal: listeners.signal });
    window.addEventListener('pagehide', turnOff, { signal: listeners.signal });
    return () => listeners.abort();
  }, [isRunning]);

  const onVideoError = () => void enterState({ name: 'off', error: cameraMessages.noVideo });
  return {
    state,
    start,
    onVideoError,
    capture,
    chooseFile: (file: File) => capture(photoFromFile(file), (photo) => void send(photo)),
    send,
  };
}
