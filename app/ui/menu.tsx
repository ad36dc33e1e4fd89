import { Children, useEffect, useRef, type FormEvent, type KeyboardEvent, type ReactNode } from 'react';

interface MenuProps {
  label: string;
  /** Completes the label for those who do not see which card it is on: 'for N512FL'. */
  labelSuffix?: string;
  /** Forms with one `<Button variant="quiet">`, or `<ButtonLink variant="quiet">`; one a line. */
  children: ReactNode;
}

/**
 * A short list of actions behind a button: `<details>`, so it opens without script. Script adds the arrow keys and
 * closes it on Escape and on a press elsewhere.
 */
export function Menu({ label, labelSuffix: about, children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);

  useEffect(() => {
    const closeFromOutside = (event: Event) => {
      const target = event.target;
      if (menu.current && target instanceof Node && !menu.current.contains(target)) menu.current.open = false;
    };
    document.addEventListener('pointerdown', closeFromOutside);
    document.addEventListener('focusin', closeFromOutside);
    return () => {
      document.removeEventListener('pointerdown', closeFromOutside);
      document.removeEventListener('focusin', closeFromOutside);
    };
  }, []);

  return (
    // The keys pressed here come from the buttons and links inside, which are focusable themselves.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <details ref={menu} className="menu" onKeyDown={handleKeyDown} onSubmit={closeAndKeepFocus}>
      <summary className="button" data-variant="secondary">
        {label}
        {about && <span className="visually-hidden"> {about}</span>}
      </summary>
      {/* Takes the focus of a press between its entries; otherwise Chromium 156 crashes as the list closes. */}
      <ul tabIndex={-1}>{Children.map(children, (child) => (child ? <li>{child}</li> : null))}</ul>
    </details>
  );
}

/** A form of the menu is on its way: the list closes, and the focus stays where it was opened from. */
function closeAndKeepFocus(event: FormEvent<HTMLDetailsElement>) {
  event.currentTarget.open = false;
  event.currentTarget.querySelector('summary')?.focus();
}

function handleKeyDown(event: KeyboardEvent<HTMLDetailsElement>) {
  const menu = event.currentTarget;
  const summary = menu.querySelector('summary');
  if (event.key === 'Escape' && menu.open) {
    menu.open = false;
    summary?.focus();
    event.stopPropagation();
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  menu.open = true;
  const items = [...menu.querySelectorAll<HTMLElement>('ul a, ul button')];
  const at = items.findIndex((item) => item === document.activeElement);
  const step = event.key === 'ArrowDown' ? 1 : -1;
  const next = at < 0 && step < 0 ? items.length - 1 : (at + step + items.length) % items.length;
  items[next]?.focus();
}
