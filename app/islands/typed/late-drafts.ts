import { LATE_DRAFT_MS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { readValues } from './controls.ts';
import { isShared, nameOf } from './viewer.ts';

/** The names of forms whose drafts were on their way as the page went; nothing of what was typed. */
const KEY = 'draftsUnderWay';

export function noteLeaving(names: string[]): void {
  if (isShared() && names.length > 0) localStorage.setItem(KEY, JSON.stringify(names));
}

/** Asks for the draft that may have come after the page, which overtook it; until something is typed anew. */
export async function whenLate(form: HTMLFormElement, apply: (values: Record<string, string>) => void): Promise<void> {
  const names: string[] = JSON.parse(localStorage.getItem(KEY) ?? '[]');
  if (!names.includes(nameOf(form))) return;
  localStorage.setItem(KEY, JSON.stringify(names.filter((name) => name !== nameOf(form))));
  let shown = JSON.stringify(readValues(form));
  for (const delay of LATE_DRAFT_MS) {
    await sleep(delay);
    const signal = AbortSignal.timeout(LATE_DRAFT_MS[LATE_DRAFT_MS.length - 1] ?? 0);
    const { values } = await fetch(form.dataset.draft ?? paths.draft(nameOf(form)), { signal })
      .then((response) => response.json())
      .catch(() => ({ values: null }));
    if (!form.isConnected || JSON.stringify(readValues(form)) !== shown) return;
    // A former one, perhaps: the newest is still on its way.
    if (values) apply(values);
    await sleep(0);
    shown = JSON.stringify(readValues(form));
  }
}

function sleep(delayMs: number): Promise<void> {
  return new Promise((resolve) => window.setTimeout(resolve, delayMs));
}
