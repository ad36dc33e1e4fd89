import { LATE_DRAFT_MS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { isShared, nameOf } from './viewer.ts';

/** The names of forms whose drafts were on their way as the page went; nothing of what was typed. */
const KEY = 'draftsUnderWay';

export function noteLeaving(names: string[]): void {
  if (isShared() && names.length > 0) localStorage.setItem(KEY, JSON.stringify(names));
}

/** Asks for the draft that may have come after the page, which overtook it. */
export async function whenLate(form: HTMLFormElement, apply: (values: Record<string, string>) => void): Promise<void> {
  const names: string[] = JSON.parse(localStorage.getItem(KEY) ?? '[]');
  if (!names.includes(nameOf(form))) return;
  localStorage.setItem(KEY, JSON.stringify(names.filter((name) => name !== nameOf(form))));
  for (const delay of LATE_DRAFT_MS) {
    await new Promise((resolve) => window.setTimeout(resolve, delay));
    const signal = AbortSignal.timeout(LATE_DRAFT_MS[LATE_DRAFT_MS.length - 1] ?? 0);
    const { values } = await fetch(form.dataset.draft ?? paths.draft(nameOf(form)), { signal })
      .then((response) => response.json())
      .catch(() => ({ values: null }));
    if (values && form.isConnected) return apply(values);
  }
}
