import type { ReactNode } from 'react';
import { ButtonLink } from './button.tsx';
import { Screen } from './screen.tsx';

/** A page that could not be shown: `<Failure title="Error Loading Flight Log" text="Failed to load flight log" />`. */
export function Failure({ title, text, action }: { title: string; text: string; action?: ReactNode }) {
  return (
    <Screen title={title} width="form">
      <p>{text}</p>
      <div className="actions">
        {action}
        <ButtonLink to="/">Back to Dashboard</ButtonLink>
      </div>
    </Screen>
  );
}
