import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CameraDialog } from './camera-dialog.tsx';
import type { Meter } from './meter.ts';
import { toChoose, toRead } from './uses.ts';

export interface CameraProps {
  /** What it takes: 'Photo of the Hobbs meter'. */
  label: string;
  /** The id of the form's file input. */
  photoId: string;
  /** The meter whose reading the photo fills; without one it goes into the file input. */
  meter?: Meter;
}

/** The way to a photo by the browser's own camera. */
export function Camera({ label, photoId, meter }: CameraProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button type="button" aria-haspopup="dialog" aria-description={label} onClick={() => setOpen(true)}>
        Open Camera
      </Button>
      {open && (
        <CameraDialog label={label} use={meter ? toRead(meter) : toChoose(photoId)} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
