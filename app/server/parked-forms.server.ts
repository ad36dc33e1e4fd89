import type { Db } from '#db/connect.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import { MAX_DRAFT_KEY_CHARACTERS } from '#app/limits.ts';
import { type Draft, deleteDrafts, findDraft, saveDraft, saveDraftOfFormerSession } from '#app/domain/drafts.server.ts';
import { TYPED_FORM, WAITING_FORM, WAITING_PASSWORD } from '#app/domain/typed-forms/field-names.ts';
import { typedFormKey } from '#app/domain/typed-forms/typed-forms.server.ts';
import { log } from './log.server.ts';

/** Saves a form posted after its session expired, or with the token before its last, to be sent after signing in. */
export function parkForm(db: Db, sessionId: string, url: URL, fields: Iterable<[string, unknown]>): Promise<void> {
  return saveDraftOfFormerSession(db, sessionId, parkedFormKey(url), fields);
}

/** Saves a form that waits for its sender's password. */
export async function keepFormForProof(db: Db, actor: Actor, url: URL, form: FormData): Promise<void> {
  const name = form.get(TYPED_FORM);
  const password = form.has('password') ? 'yes' : undefined;
  const about: [string, unknown][] = [
    [WAITING_FORM, name],
    [WAITING_PASSWORD, password],
  ];
  await saveDraft(db, actor, formForProofKey(url), [...form, ...about]);
}

export function findFormForProof(db: Db, actor: Actor, url: URL): Promise<Draft | undefined> {
  return findDraft(db, actor.id, formForProofKey(url));
}

export function findParkedForm(db: Db, actor: Actor, url: URL): Promise<Draft | undefined> {
  return findDraft(db, actor.id, parkedFormKey(url));
}

/** After the form's work was done: that it is still there is no reason to say that it was not. */
export async function forgetParkedForm(
  db: Db,
  actor: Actor,
  urls: URL[],
  typedForm?: FormDataEntryValue | null,
): Promise<void> {
  try {
    const keys = urls.flatMap((url) => [parkedFormKey(url), formForProofKey(url)]);
    if (typeof typedForm === 'string') keys.push(typedFormKey(typedForm));
    await deleteDrafts(db, actor.id, keys);
  } catch (error) {
    log.warn({ err: error }, 'a parked form could not be deleted');
  }
}

function formForProofKey({ pathname, search }: URL): string {
  return `proof:${pathname}${search}`.slice(0, MAX_DRAFT_KEY_CHARACTERS);
}

export function parkedFormKey({ pathname, search }: URL): string {
  return `unsent:${pathname}${search}`.slice(0, MAX_DRAFT_KEY_CHARACTERS);
}
