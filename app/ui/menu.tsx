import { Children, type KeyboardEvent, type ReactNode, type SyntheticEvent, useEffect, useRef } from 'react';

interface MenuProps {
  label: string;
  /** Words that complete the label for screen readers: 'for N512FL'. */
  labelSuffix: string;
  children: ReactNode;
}

/** A `<details>` menu, which opens without JavaScript. */
export function Menu({ label, labelSuffix, children }: MenuProps) {
  const ref = useRef<HTMLDetailsElement>(null);

  useEffect(() => {
    const closeFromOutside = ({ target }: Event) => {
      if (ref.current && target instanceof Node && !ref.current.contains(target)) ref.current.open = false;
    };
    const listeners = new AbortController();
    for (const type of ['pointerdown', 'focusin'])
      document.addEventListener(type, closeFromOutside, { signal: listeners.signal });
    return () => listeners.abort();
  }, []);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys pressed on the items bubble up
    <details
      ref={ref}
      className="menu"
      onToggle={() => ref.current?.querySelector('ul')?.scrollIntoView({ block: 'nearest' })}
      onKeyDown={handleKeyDown}
      onSubmit={closeAndRestoreFocus}
    >
      <summary className="button" data-variant="secondary">
        {label}
        <span className="visually-hidden"> {labelSuffix}</span>
      </summary>
      {/* Takes the focus of a click between items; Chromium 156 crashes when the list closes otherwise. */}
      <ul tabIndex={-1}>{Children.map(children, (child) => (child ? <li>{child}</li> : null))}</ul>
    </details>
  );
}

function closeAndRestoreFocus({ currentTarget: menu }: SyntheticEvent<HTMLDetailsElement>) {
  menu.open = false;
  menu.querySelector('summary')?.focus();
}

function handleKeyDown(event: KeyboardEvent<HTMLDetailsElement>) {
  const menu = event.currentTarget;
  if (event.key === 'Escape' && menu.open) closeAndRestoreFocus(event);
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  menu.open = true;
  const items = [...menu.querySelectorAll<HTMLElement>('ul a, ul button')];
  const index = items.findIndex((item) => item === document.activeElement);
  const step = event.key === 'ArrowDown' ? 1 : -1;
  const nextIndex = index < 0 && step < 0 ? items.length - 1 : (index + step + items.length) % items.length;
  items[nextIndex]?.focus();
}
