import { type SyntheticEvent, useState } from 'react';
import type { MeterTarget } from '#app/islands/camera/analyze-image.ts';

/** Reads the chosen photo without leaving the page; if that fails, it submits the form with the intent. */
export function usePhotoReading(fileInputId: string, intent: string, target: MeterTarget) {
  const [isReading, setIsReading] = useState(false);
  const readPhoto = (event: SyntheticEvent) => {
    const input = document.getElementById(fileInputId);
    if (isReading) event.preventDefault();
    if (isReading || !(input instanceof HTMLInputElement) || !input.files?.[0]) return;
    event.preventDefault();
    setIsReading(true);
    import('#app/islands/camera/read-selected-photo.ts')
      .then(({ readSelectedPhoto }) => readSelectedPhoto(input, target))
      .catch(() => input.form?.requestSubmit(input.form.querySelector<HTMLButtonElement>(`[value=${intent}]`)))
      .finally(() => setIsReading(false));
  };
  return { isReading, readPhoto };
}
