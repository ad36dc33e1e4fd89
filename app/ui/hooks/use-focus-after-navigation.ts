import { useEffect } from 'react';
import { useLocation, useNavigation } from '@remix-run/react';

/** The variable outlives the components, which an error page replaces. It is undefined until the first load. */
let lastScreen: string | undefined;

/** Moves the focus to the errors or title of a new screen, as loading a document would, or when the focused element is gone. */
export function useFocusAfterNavigation(): void {
  const { pathname, search, key } = useLocation();
  const { state } = useNavigation();
  const screen = `${pathname}#${new URLSearchParams(search).get('step') ?? '0'}`;

  useEffect(() => {
    if (state !== 'idle') return;
    const isNewScreen = lastScreen !== undefined && lastScreen !== screen;
    const isFocusLost = lastScreen !== undefined && document.activeElement === document.body;
    lastScreen = screen;
    const start = document.querySelector<HTMLElement>('main :is(.error-summary h2, h1)');
    if (isNewScreen || isFocusLost) start?.focus({ preventScroll: true });
  }, [state, screen, key]);
}
