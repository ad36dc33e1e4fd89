import { useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { HiddenField } from '#app/ui/forms/hidden-field.tsx';
import type { Frame } from '#app/domain/meters/engine/meter-context.ts';
import { CameraDialog } from './camera-dialog.tsx';
import type { MeterTarget } from './meter-target.ts';
import { formatFrame } from './captured-photo.ts';
import { putIntoFileInput, readIntoField } from './photo-handlers.ts';

export interface CameraProps {
  /** What it takes: 'Photo of the Hobbs meter'. */
  label: string;
  /** The id of the form's file input. */
  photoId: string;
  /** The meter whose reading the photo fills; without one it goes into the file input. */
  meter?: MeterTarget;
}

/** The way to a photo by the browser's own camera. */
export function Camera({ label, photoId, meter }: CameraProps) {
  const [open, setOpen] = useState(false);
  const [frame, setFrame] = useState<Frame>();
  const use = meter ? readIntoField(meter) : putIntoFileInput(photoId, setFrame);
  return (
    <>
      <Button type="button" aria-haspopup="dialog" aria-description={label} onClick={() => setOpen(true)}>
        Open Camera
      </Button>
      {frame && <HiddenField name="frame" value={formatFrame(frame)} />}
      {open && <CameraDialog label={label} use={use} onClose={() => setOpen(false)} />}
    </>
  );
}
