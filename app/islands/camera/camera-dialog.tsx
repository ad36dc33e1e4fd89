import { type ChangeEvent, useEffect, useId, useRef } from 'react';
import { Button, Actions } from '#app/ui/elements.tsx';
import type { CapturedPhoto } from './captured-photo.ts';
import { type CameraState, useCamera } from './use-camera.ts';
import type { PhotoHandler } from './photo-handlers.ts';
import { Viewfinder } from './viewfinder.tsx';

interface CameraDialogProps {
  label: string;
  photoHandler: PhotoHandler;
  onClose: () => void;
}

export function CameraDialog({ label, photoHandler, onClose }: CameraDialogProps) {
  const titleId = useId();
  const dialogRef = useRef<HTMLDialogElement>(null);
  const close = () => dialogRef.current?.close();
  const camera = useCamera(photoHandler, (finish) => {
    close();
    finish();
  });
  const { state } = camera;
  // The main control of each state takes the focus, because the one that had it is gone.
  useEffect(() => showModal(dialogRef.current), [state.name]);

  return (
    <dialog ref={dialogRef} className="dialog camera-dialog" aria-labelledby={titleId} onClose={onClose}>
      <div className="card-header">
        <h2 id={titleId} tabIndex={-1}>
          {label}
        </h2>
        <Button type="button" variant="quiet" onClick={close}>
          Close
        </Button>
      </div>
      <div role="alert">{state.error && <p className="error">{state.error}</p>}</div>
      {state.name === 'off' && <CameraOff {...camera} error={state.error} />}
      {state.name === 'starting' && <p role="status">Starting the camera...</p>}
      {state.name === 'live' && <Viewfinder {...camera} stream={state.stream} />}
      {state.name === 'live' && <PhotoChooser chooseFile={(file) => void camera.chooseFile(file)} />}
      {state.name === 'captured' && <PhotoReview {...camera} label={label} state={state} />}
    </dialog>
  );
}

interface CameraOffProps {
  error: string | undefined;
  start: () => void;
  chooseFile: (file: File) => void;
}

function CameraOff({ error, start, chooseFile }: CameraOffProps) {
  return (
    <>
      <Actions>
        <Button type="button" variant="primary" data-initial-focus onClick={start}>
          Open Camera
        </Button>
      </Actions>
      {error && <PhotoChooser chooseFile={chooseFile} capture="environment" />}
    </>
  );
}

interface PhotoChooserProps {
  chooseFile: (file: File) => void;
  /** Set to open the phone's own camera in place of the one that failed. */
  capture?: 'environment';
}

function PhotoChooser({ chooseFile, capture }: PhotoChooserProps) {
  const id = useId();
  const onChange = ({ currentTarget: { files } }: ChangeEvent<HTMLInputElement>) => files?.[0] && chooseFile(files[0]);
  return (
    <div className="field">
      <label htmlFor={id}>Or choose a photo</label>
      <input id={id} type="file" accept="image/*" capture={capture} onChange={onChange} />
    </div>
  );
}

interface PhotoReviewProps {
  label: string;
  state: Extract<CameraState, { name: 'captured' }>;
  start: () => void;
  send: (photo: CapturedPhoto) => void;
}

function PhotoReview({ label, state: { photo, isSending }, start, send }: PhotoReviewProps) {
  return (
    <>
      <img className="camera-photo" src={photo.dataUrl} alt={`${label} as taken`} />
      <Actions>
        <Button
          type="button"
          variant="primary"
          data-initial-focus
          aria-disabled={isSending}
          onClick={() => !isSending && send(photo)}
        >
          {isSending ? 'Reading...' : 'Use Photo'}
        </Button>
        <Button type="button" onClick={start}>
          Retake
        </Button>
      </Actions>
    </>
  );
}

function showModal(dialog: HTMLDialogElement | null) {
  if (dialog && !dialog.open) dialog.showModal();
  const control = dialog?.querySelector<HTMLElement>('[data-initial-focus]') ?? dialog?.querySelector('h2');
  control?.focus();
}
