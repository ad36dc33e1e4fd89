import type { ReactNode } from 'react';

interface ConditionalFieldsProps {
  control: ReactNode;
  children: ReactNode;
}

/** Hides the fields by CSS until the control is on; the server ignores or refuses them while it is off. */
export function ConditionalFields({ control, children }: ConditionalFieldsProps) {
  return (
    <div className="conditional-fields">
      {control}
      <div className="conditional-fields-body">{children}</div>
    </div>
  );
}
