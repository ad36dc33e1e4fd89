import { type FormEvent, useEffect, useRef, useState } from 'react';
import { hasModals } from '../has-modals.ts';
import { loadIsland } from '../load-island.ts';

const OPENS = { '/': 'jump', '?': 'keys' } as const;
const TYPED_INTO = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';
/** Selector of a closed dialog, which keeps the focus for a moment. */
const CLOSED_DIALOG = 'dialog:not([open])';

type Dialog = (typeof OPENS)[keyof typeof OPENS];

interface Opened {
  dialog: Dialog;
  key: number;
}

/** Opens dialogs by '/' and '?', unless the user has turned them off, and by a button; loaded when first opened. */
export function useKeyDialogs(hasSingleKeys: boolean) {
  const nextKey = useRef(0);
  const [opened, setOpened] = useState<Opened>();
  const [island, setIsland] = useState<typeof import('#app/islands/keys/keys.tsx')>();
  const open = (event: Pick<Event, 'preventDefault'>, dialog: Dialog) => {
    if (!hasModals) return;
    event.preventDefault();
    setOpened({ dialog, key: nextKey.current++ });
    // oxlint-disable-next-line no-restricted-imports -- loaded on its own, when first opened
    void loadIsland(() => import('#app/islands/keys/keys.tsx')).then(setIsland);
  };

  useEffect(() => {
    if (!hasSingleKeys) return;
    const handleKey = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
      if ((key !== '/' && key !== '?') || ctrlKey || metaKey || altKey || defaultPrevented) return;
      if (target instanceof Element && target.closest(TYPED_INTO) && !target.closest(CLOSED_DIALOG)) return;
      if (document.querySelector('dialog:modal')) return;
      open(event, OPENS[key]);
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [hasSingleKeys]);

  const Shown = opened && island?.DIALOGS[opened.dialog];
  return {
    openJump: (event: FormEvent) => open(event, 'jump'),
    dialog: Shown ? <Shown key={opened.key} onClose={() => setOpened(without(opened))} /> : null,
  };
}

/** Closes this dialog only: the browser announces it later, when the next one may be open. */
function without(closed: Opened) {
  return (current: Opened | undefined) => (current === closed ? undefined : current);
}
