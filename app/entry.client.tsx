import { RemixBrowser } from '@remix-run/react';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { loadIsland } from '#app/ui/load-island.ts';
import { watchSentForms } from '#app/ui/forms/kept/sent-form.ts';
import { keepReferenceOfFailures } from '#app/ui/page/keep-reference.ts';

keepReferenceOfFailures();
watchSentForms();
// Beside the page, not before it: what is typed until it is there stands in the form.
void loadIsland(() => import('#app/islands/typed/typed.ts')).then(({ keepTyped }) => keepTyped());
void readPageData().then(() => startTransition(() => void hydrateRoot(document, <RemixBrowser />)));

/** A tap or a key while RemixBrowser suspends at the root would have React give the page up ('Root did not complete'). */
async function readPageData(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (pending) {
    await pending;
  }
}
