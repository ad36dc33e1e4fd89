import type { Db } from '#db/connect.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import { type Draft, deleteDraft, findDraft, saveDraft } from '#app/domain/drafts.server.ts';

/** Keeps what was posted to this address after its session had ended, for its user to sign in again. */
export function parkForm(db: Db, userId: number, url: URL, form: FormData): Promise<void> {
  return saveDraft(db, userId, parkedFormKey(url), form);
}

/**
 * What waits to be sent to this address, by field name, at most 12 hours old; undefined when nothing does.
 * The page fills its form with it and says `texts.unsent`. A post that leads on drops it.
 */
export function findParkedForm(db: Db, actor: Actor, url: URL): Promise<Draft | undefined> {
  return findDraft(db, actor.id, parkedFormKey(url));
}

/** Drops what waits for this address: it has been sent, or has lost its point. */
export function deleteParkedForm(db: Db, actor: Actor, url: URL): Promise<void> {
  return deleteDraft(db, actor.id, parkedFormKey(url));
}

function parkedFormKey({ pathname, search }: URL): string {
  return `unsent:${pathname}${search}`.slice(0, 200);
}
