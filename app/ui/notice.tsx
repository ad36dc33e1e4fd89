import type { ReactNode } from 'react';

interface NoticeProps {
  tone: 'caution' | 'info' | 'danger' | 'success';
  title?: string;
  action?: ReactNode;
  children: ReactNode;
}

/** A standing message within the page: `<Notice tone="caution">You have an active flight …</Notice>`. */
export function Notice({ tone, title, action, children }: NoticeProps) {
  return (
    <div className="notice" data-tone={tone}>
      <div>
        {title && <p className="notice-title">{title}</p>}
        <div>{children}</div>
      </div>
      {action}
    </div>
  );
}
