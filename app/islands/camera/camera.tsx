import { useState } from 'react';
import { PhotoButton } from '#app/ui/photo-button.tsx';
import { Button } from '#app/ui/elements.tsx';
import { HiddenField } from '#app/ui/forms/fields.tsx';
import type { PhotoRegion } from '#app/domain/meters/engine/meter-context.ts';
import { CameraDialog } from './camera-dialog.tsx';
import type { MeterTarget } from './analyze-image.ts';
import { formatFrame } from './captured-photo.ts';
import { createFileInputPhotoHandler, createReadingPhotoHandler } from './photo-handlers.ts';

export interface CameraProps {
  label: string;
  fileInputId: string;
  /** Reading that the photo fills; without one the photo goes into the file input. */
  target?: MeterTarget;
}

export function Camera({ label, fileInputId, target }: CameraProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [frame, setFrame] = useState<PhotoRegion>();
  const open = () => setIsOpen(true);
  const photoHandler = target ? createReadingPhotoHandler(target) : createFileInputPhotoHandler(fileInputId, setFrame);
  return (
    <>
      {target ? (
        <PhotoButton name="Open Camera" label={label} aria-haspopup="dialog" onClick={open} />
      ) : (
        <Button type="button" aria-haspopup="dialog" aria-description={label} onClick={open}>
          Open Camera
        </Button>
      )}
      {frame && <HiddenField name="frame" value={formatFrame(frame)} />}
      {isOpen && <CameraDialog label={label} photoHandler={photoHandler} onClose={() => setIsOpen(false)} />}
    </>
  );
}
