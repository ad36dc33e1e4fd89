import type { UnsentView } from './use-unsent.ts';

/** Puts the photos of what the server refused into the form where it waits; the server has the rest. */
export function restoreReturnedPhotos(items: UnsentView[]): void {
  const returned = items.find(({ state, to }) => state === 'returned' && to === location.pathname + location.search);
  if (!returned?.form) return;
  for (const input of document.querySelectorAll<HTMLInputElement>('main form[method=post] input[type=file][name]')) {
    const photos = returned.form.getAll(input.name).filter((value) => value instanceof File && value.size > 0);
    if (photos.length === 0 || (input.files?.length ?? 0) > 0) continue;
    const chosen = new DataTransfer();
    for (const photo of photos) if (photo instanceof File) chosen.items.add(photo);
    input.files = chosen.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }
}
