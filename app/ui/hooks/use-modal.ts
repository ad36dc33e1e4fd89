import { useEffect, useRef } from 'react';
import { useNavigate } from '@remix-run/react';

/**
 * Turns a dialog that the server rendered open in the page into a modal one: the browser then keeps the focus inside.
 * Escape goes to `closeHref`; on the way out the focus returns to the link that opened it, which is the one that
 * leads to the address the dialog has.
 */
export function useModal(closeHref: string) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const leave = useRef(() => {});
  leave.current = () => navigate(closeHref, { preventScrollReset: true });

  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const address = window.location.href;
    const cancel = (event: Event) => {
      event.preventDefault();
      leave.current();
    };
    element.removeAttribute('open');
    element.showModal();
    element.querySelector<HTMLElement>('[data-first-focus]')?.focus();
    element.addEventListener('cancel', cancel);
    return () => {
      element.removeEventListener('cancel', cancel);
      element.close();
      focusOpener(address);
    };
  }, []);

  return dialog;
}

function focusOpener(address: string) {
  const opener = [...document.links].find((link) => link.href === address && !link.closest('dialog'));
  const menu = opener?.closest('details:not([open])');
  (menu?.querySelector('summary') ?? opener)?.focus({ preventScroll: true });
}
