import type { ReactNode } from 'react';

/**
 * Fields that make sense only once a Switch is on or a select has a choice (C73). CSS hides them; a browser without
 * `:has()` shows them always, and the server ignores what is switched off. `<Depends on={<Switch …/>}>…</Depends>`
 */
export function ConditionalFields({ control: on, children }: { control: ReactNode; children: ReactNode }) {
  return (
    <div className="conditional-fields">
      {on}
      <div className="conditional-fields-body">{children}</div>
    </div>
  );
}
