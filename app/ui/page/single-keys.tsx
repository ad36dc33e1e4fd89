import { useEffect, useState } from 'react';

const OPENS = { '/': 'jump', '?': 'keys' } as const;
const TYPED_INTO = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';

/** '/' and '?' of who has not turned them off; what they open is loaded with the first of them. */
export function SingleKeys() {
  const [opened, setOpened] = useState<(typeof OPENS)[keyof typeof OPENS]>();
  const [island, setIsland] = useState<typeof import('#app/islands/keys/keys.tsx')>();
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
      if ((key !== '/' && key !== '?') || ctrlKey || metaKey || altKey || defaultPrevented) return;
      if (target instanceof Element && target.closest(TYPED_INTO)) return;
      if (document.querySelector('dialog:modal')) return;
      event.preventDefault();
      setOpened(OPENS[key]);
      import('#app/islands/keys/keys.tsx').then(setIsland, () => setOpened(undefined));
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
  const Dialog = opened && island?.DIALOGS[opened];
  return Dialog ? <Dialog onClose={() => setOpened(undefined)} /> : null;
}
