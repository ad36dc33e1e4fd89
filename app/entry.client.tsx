import { RemixBrowser } from '@remix-run/react';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { keepReferenceOfFailures } from '#app/ui/page/keep-reference.ts';

keepReferenceOfFailures();
startTransition(() => {
  hydrateRoot(document, <RemixBrowser />);
});
