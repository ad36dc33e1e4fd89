import { useEffect } from 'react';
import { useLocation, useNavigation } from '@remix-run/react';

/** The screen last shown; outlives the components, which an error page replaces. Undefined until the first load. */
let shown: string | undefined;

/**
 * After a client navigation the focus goes to the title of the new screen, as it would on a new document; on the same
 * screen only when what had it is gone. The first load leaves the focus to the browser.
 */
export function useFocusAfterNavigation(): void {
  const { pathname, search, key } = useLocation();
  const { state } = useNavigation();
  const screen = `${pathname}#${new URLSearchParams(search).get('step') ?? '0'}`;

  useEffect(() => {
    if (state !== 'idle') return;
    const moved = shown !== undefined && shown !== screen;
    const lost = shown !== undefined && document.activeElement === document.body;
    shown = screen;
    if (moved || lost) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, [state, screen, key]);
}
