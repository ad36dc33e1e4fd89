import type { ReactNode } from 'react';
import { Link } from '@remix-run/react';
import { ToastRegion, type Toast } from './toast-region.tsx';

interface ScreenProps {
  title: ReactNode;
  /** A line under the title. */
  subtitle?: ReactNode;
  /** Beside the title, such as a role badge. */
  badge?: ReactNode;
  /** Links and buttons that concern the whole screen. */
  actions?: ReactNode;
  /** Shows the way back to the dashboard. */
  showBackLink?: boolean;
  /** What must be met first: an error summary or an open dialog. */
  beforeTitle?: ReactNode;
  toast?: Toast | null;
  /** 'form' keeps lines short for one column of fields. */
  width?: 'form' | 'full';
  children: ReactNode;
}

/**
 * One screen: its only h1 and, in this order, what leads, the toast, the way back, the title and the body.
 * `<Screen title="Users" back actions={<ButtonLink to={…}>Invite New User</ButtonLink>}>…</Screen>`
 */
export function Screen({
  title,
  subtitle,
  badge,
  actions,
  showBackLink: back,
  beforeTitle: lead,
  toast,
  width = 'full',
  children,
}: ScreenProps) {
  return (
    <div className="screen" data-width={width}>
      {lead}
      <ToastRegion toast={toast ?? null} />
      {back && (
        <Link className="back-link" to="/">
          Back to Dashboard
        </Link>
      )}
      <div className="screen-header">
        <div className="screen-title">
          <h1 tabIndex={-1}>{title}</h1>
          {badge}
          {subtitle && <p className="subtitle">{subtitle}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
