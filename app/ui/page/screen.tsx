import type { ReactNode } from 'react';
import { useMatches } from '@remix-run/react';
import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import { texts } from '#app/domain/texts.ts';
import { OtherDraftNotice } from '../forms/kept/other-draft-notice.tsx';
import { useTypedOrigin } from '../hooks/use-root-data.ts';
import { Button, Notice } from '../elements.tsx';
import { ToastRegion, type Toast } from './toast-region.tsx';

interface ScreenProps {
  title: ReactNode;
  subtitle?: ReactNode;
  badge?: ReactNode;
  actions?: ReactNode;
  showBackLink?: boolean;
  /** A Trail, which not every screen has to load. */
  trail?: ReactNode;
  /** An error summary or open dialog, which comes first in reading and focus order. */
  beforeTitle?: ReactNode;
  toast?: Toast | null;
  width?: 'form' | 'full';
  /** 'cockpit' makes controls for gloves and sunlight. */
  rhythm?: 'cockpit';
  children: ReactNode;
}

export function Screen(props: ScreenProps) {
  const { title, subtitle, badge, actions, showBackLink, trail, beforeTitle, toast, width = 'full' } = props;
  return (
    <div className="screen" data-width={width} data-rhythm={props.rhythm}>
      {beforeTitle}
      <ToastRegion toast={toast ?? null} />
      {showBackLink && (
        <div className="ways-up">
          <Link className="back-link" to={paths.dashboard}>
            Back to Dashboard
          </Link>
          {trail}
        </div>
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
      {useNavigationOfRoute()}
      {props.children}
    </div>
  );
}

/** Returns what the route's `handle` brings along for all its screens, as the navigation of the school's pages. */
function useNavigationOfRoute(): ReactNode {
  const handle = useMatches().at(-1)?.handle as { navigation?: ReactNode } | undefined;
  return handle?.navigation;
}

/** Works with script only: the style sheet shows it once the page is interactive. */
export function PrintButton() {
  return (
    <Button type="button" data-needs-script="" onClick={() => window.print()}>
      Print
    </Button>
  );
}

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
