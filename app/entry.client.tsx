import { RemixBrowser } from '@remix-run/react';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { keepReferenceOfFailures } from '#app/ui/page/keep-reference.ts';

keepReferenceOfFailures();
// Beside the page, not before it: what is typed until it is there stands in the form.
void import('#app/islands/typed/typed.ts').then(({ keepTyped }) => keepTyped()).catch(() => undefined);
startTransition(() => {
  hydrateRoot(document, <RemixBrowser />);
});
