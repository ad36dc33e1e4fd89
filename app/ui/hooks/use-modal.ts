import { useEffect, useRef } from 'react';
import { useNavigate } from '@remix-run/react';
import { hasModals } from '../has-modals.ts';

/** Opens a dialog that the server rendered as a modal one; Escape navigates to `closeHref`. */
export function useModal(closeHref: string) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const closeRef = useRef(() => {});
  closeRef.current = () => navigate(closeHref, { preventScrollReset: true });

  useEffect(() => {
    const dialog = dialogRef.current;
    if (!dialog || !hasModals) return;
    const dialogUrl = window.location.href;
    const handleCancel = (event: Event) => {
      event.preventDefault();
      closeRef.current();
    };
    dialog.removeAttribute('open');
    dialog.showModal();
    dialog.querySelector<HTMLElement>('[data-initial-focus]')?.focus();
    dialog.addEventListener('cancel', handleCancel);
    return () => {
      dialog.removeEventListener('cancel', handleCancel);
      dialog.close();
      focusOpener(dialogUrl);
    };
  }, []);

  return dialogRef;
}

/** Focuses the link to the dialog, or the menu button if the link's menu has closed. */
function focusOpener(dialogUrl: string) {
  const opener = [...document.links].find((link) => link.href === dialogUrl && !link.closest('dialog'));
  const menu = opener?.closest('details:not([open])');
  (menu?.querySelector('summary') ?? opener)?.focus({ preventScroll: true });
}
