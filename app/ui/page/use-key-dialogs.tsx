import { useEffect, useState } from 'react';

const OPENS = { '/': 'jump', '?': 'keys' } as const;
const TYPED_INTO = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';

type Dialog = (typeof OPENS)[keyof typeof OPENS];

/** What '/' and '?' open for who has not turned them off, and a button for everybody; loaded when first opened. */
export function useKeyDialogs(hasSingleKeys: boolean) {
  const [opened, setOpened] = useState<Dialog>();
  const [island, setIsland] = useState<typeof import('#app/islands/keys/keys.tsx')>();
  const open = (dialog: Dialog) => {
    setOpened(dialog);
    import('#app/islands/keys/keys.tsx').then(setIsland, () => setOpened(undefined));
  };

  useEffect(() => {
    if (!hasSingleKeys) return;
    const handleKey = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
      if ((key !== '/' && key !== '?') || ctrlKey || metaKey || altKey || defaultPrevented) return;
      if (target instanceof Element && target.closest(TYPED_INTO)) return;
      if (document.querySelector('dialog:modal')) return;
      event.preventDefault();
      open(OPENS[key]);
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [hasSingleKeys]);

  const Shown = opened && island?.DIALOGS[opened];
  return {
    openJump: () => open('jump'),
    dialog: Shown ? <Shown onClose={() => setOpened(undefined)} /> : null,
  };
}
