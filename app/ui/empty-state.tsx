import type { ReactNode } from 'react';

/** Says that a list is empty and what to do about it: `<EmptyState text="No pending invitations" />`. */
export function EmptyState({ text, action }: { text: string; action?: ReactNode }) {
  return (
    <div className="empty-state">
      <p>{text}</p>
      {action}
    </div>
  );
}
