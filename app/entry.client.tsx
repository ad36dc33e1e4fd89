import { RemixBrowser } from '@remix-run/react';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { loadIsland } from '#app/ui/load-island.ts';
import { watchSentForms } from '#app/ui/forms/kept/sent-form.ts';
import { keepReferenceOfFailures } from '#app/ui/page/keep-reference.ts';

keepReferenceOfFailures();
watchSentForms();
// The script loads beside the page, not before it; the form holds what is typed until then.
void loadIsland(() => import('#app/islands/typed/typed.ts')).then(({ keepTyped }) => keepTyped());
void readPageData().then(() => startTransition(() => void hydrateRoot(document, <RemixBrowser />)));

/** Reads the page's data first: after a tap or key while RemixBrowser suspends, React would give up the page. */
async function readPageData(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (pending) {
    await pending;
  }
}
