import { type ChangeEvent, useEffect, useId, useRef } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Actions } from '#app/ui/layout.tsx';
import type { CapturedPhoto } from './captured-photo.ts';
import { type CameraState, useCamera } from './use-camera.ts';
import type { PhotoHandler } from './photo-handlers.ts';
import { Viewfinder } from './viewfinder.tsx';

interface CameraDialogProps {
  label: string;
  use: PhotoHandler;
  onClose: () => void;
}

/** Takes one photo: a modal dialog in which one control leads to the next. */
export function CameraDialog({ label, use, onClose }: CameraDialogProps) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();
  const camera = useCamera(use, (finish) => {
    close();
    finish();
  });
  const { stage } = camera;
  useEffect(() => showModal(dialog.current), [stage.name]);

  return (
    <dialog ref={dialog} className="dialog camera-dialog" aria-labelledby={titleId} onClose={onClose}>
      <div className="card-header">
        <h2 id={titleId} tabIndex={-1}>
          {label}
        </h2>
        <Button type="button" variant="quiet" onClick={close}>
          Close
        </Button>
      </div>
      <div role="alert">{stage.error && <p className="error">{stage.error}</p>}</div>
      {stage.name === 'closed' && <Closed {...camera} error={stage.error} />}
      {stage.name === 'starting' && <p role="status">Starting the camera...</p>}
      {stage.name === 'live' && <Viewfinder {...camera} stream={stage.stream} />}
      {stage.name === 'taken' && <Taken {...camera} label={label} stage={stage} />}
    </dialog>
  );
}

interface ClosedProps {
  error: string | undefined;
  open: () => void;
  choose: (file: File) => void;
}

/** The camera does not run. Where it will not, a photo can still be chosen: on a phone the input opens its own camera. */
function Closed({ error: told, open, choose }: ClosedProps) {
  const id = useId();
  const onChange = ({ currentTarget: { files } }: ChangeEvent<HTMLInputElement>) => files?.[0] && choose(files[0]);
  return (
    <>
      <Actions>
        <Button type="button" variant="primary" data-next onClick={open}>
          Open Camera
        </Button>
      </Actions>
      {told && (
        <div className="field">
          <label htmlFor={id}>Or choose a photo</label>
          <input id={id} type="file" accept="image/*" capture="environment" onChange={onChange} />
        </div>
      )}
    </>
  );
}

interface TakenProps {
  label: string;
  stage: Extract<CameraState, { name: 'taken' }>;
  open: () => void;
  send: (photo: CapturedPhoto) => void;
}

function Taken({ label, stage: { photo, busy }, open, send }: TakenProps) {
  return (
    <>
      <img className="camera-photo" src={photo.url} alt={`${label} as taken`} />
      <Actions>
        <Button type="button" variant="primary" data-next aria-disabled={busy} onClick={() => !busy && send(photo)}>
          {busy ? 'Reading...' : 'Use Photo'}
        </Button>
        <Button type="button" onClick={open}>
          Retake
        </Button>
      </Actions>
    </>
  );
}

/** Modal from the first; at each stage the focus goes to what leads on, for the control that had it is gone. */
function showModal(dialog: HTMLDialogElement | null) {
  if (dialog && !dialog.open) dialog.showModal();
  const next = dialog?.querySelector<HTMLElement>('[data-next]') ?? dialog?.querySelector('h2');
  next?.focus();
}
