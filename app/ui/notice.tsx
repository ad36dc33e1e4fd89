import type { ReactNode } from 'react';

interface NoticeProps {
  tone: 'caution' | 'info' | 'danger';
  action?: ReactNode;
  children: ReactNode;
}

export function Notice({ tone, action, children }: NoticeProps) {
  return (
    <div className="notice" data-tone={tone}>
      <div>{children}</div>
      {action}
    </div>
  );
}
