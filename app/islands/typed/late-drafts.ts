import { DRAFT_TIMEOUT_MS, LATE_DRAFT_MS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { findDraftOnItsWay, forgetDraftOnItsWay } from './entries.ts';
import { formKey, serverDraft } from './viewer.ts';

/** Whether a draft of this form was sent that this page has overtaken. */
export function isLate(form: HTMLFormElement): boolean {
  const name = formKey(form);
  const typedAt = findDraftOnItsWay(name);
  if (typedAt === undefined) return false;
  const isComing = typedAt > (serverDraft(form.id)?.typedAt ?? 0) && typedAt > Date.now() - DRAFT_TIMEOUT_MS;
  if (!isComing) forgetDraftOnItsWay(name);
  return isComing;
}

/** Asks for it until it has come; undefined if it never does, or the form has gone meanwhile. */
export async function findLateDraft(form: HTMLFormElement): Promise<Record<string, string> | undefined> {
  const name = formKey(form);
  const typedAt = findDraftOnItsWay(name) ?? 0;
  for (const delay of LATE_DRAFT_MS) {
    await new Promise((resolve) => window.setTimeout(resolve, delay));
    const draft = await fetch(paths.draft(name), { signal: AbortSignal.timeout(DRAFT_TIMEOUT_MS) })
      .then((response): Promise<LateDraft> => response.json())
      .catch(() => undefined);
    if (!form.isConnected) return undefined;
    if (!draft?.values || (draft.typedAt ?? 0) < typedAt) continue;
    forgetDraftOnItsWay(name);
    return draft.values;
  }
  forgetDraftOnItsWay(name);
  return undefined;
}

interface LateDraft {
  values: Record<string, string> | null;
  typedAt: number | null;
}
