import type { ReactNode } from 'react';
import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import { texts } from '#app/domain/texts.ts';
import { OtherDraftNotice } from '../forms/kept/other-draft-notice.tsx';
import { useTypedOrigin } from '../hooks/use-root-data.ts';
import { Notice } from '../notice.tsx';
import { LinkToCopy } from './link-to-copy.tsx';
import { ToastRegion, type Toast } from './toast-region.tsx';

interface ScreenProps {
  title: ReactNode;
  subtitle?: ReactNode;
  badge?: ReactNode;
  actions?: ReactNode;
  showBackLink?: boolean;
  /** An error summary or open dialog, which comes first in reading and focus order. */
  beforeTitle?: ReactNode;
  toast?: Toast | null;
  width?: 'form' | 'full';
  /** 'cockpit' makes controls for gloves and sunlight. */
  rhythm?: 'cockpit';
  children: ReactNode;
}

export function Screen(props: ScreenProps) {
  const { title, subtitle, badge, actions, showBackLink, beforeTitle, toast, width = 'full', rhythm, children } = props;
  return (
    <div className="screen" data-width={width} data-rhythm={rhythm}>
      {beforeTitle}
      <ToastRegion toast={toast ?? null} />
      {toast?.link && <LinkToCopy url={toast.link} />}
      {showBackLink && (
        <Link className="back-link" to={paths.dashboard}>
          Back to Dashboard
        </Link>
      )}
      <TypedNotice />
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

/** Says where the values in the form come from. */
function TypedNotice() {
  const origin = useTypedOrigin();
  return (
    <>
      {origin === 'ended session' && <Notice tone="caution">{texts.formRestored}</Notice>}
      {origin === 'elsewhere' && <Notice tone="caution">{texts.typedElsewhere}</Notice>}
      <OtherDraftNotice />
    </>
  );
}
