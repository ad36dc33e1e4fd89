import type { ReactNode } from 'react';
import { useLocation } from '@remix-run/react';
import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import { texts } from '#app/domain/texts.ts';
import { OtherDraftNotice } from '../forms/kept/other-draft-notice.tsx';
import { useManagesSchool, useTypedOrigin } from '../hooks/use-root-data.ts';
import { Button } from '../button.tsx';
import { Notice } from '../notice.tsx';
import { isOfSchool, SchoolNavigation } from './school-navigation.tsx';
import { LinkToCopy } from './link-to-copy.tsx';
import { ToastRegion, type Toast } from './toast-region.tsx';

interface TrailStep {
  label: string;
  to?: string;
}

interface ScreenProps {
  title: ReactNode;
  subtitle?: ReactNode;
  badge?: ReactNode;
  actions?: ReactNode;
  showBackLink?: boolean;
  /** The pages above this one, and this one last, without a link. */
  trail?: TrailStep[];
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
  const { pathname } = useLocation();
  const managesSchool = useManagesSchool();
  return (
    <div className="screen" data-width={width} data-rhythm={props.rhythm}>
      {beforeTitle}
      <ToastRegion toast={toast ?? null} />
      {toast?.link && <LinkToCopy url={toast.link} />}
      {showBackLink && (
        <div className="ways-up">
          <Link className="back-link" to={paths.dashboard}>
            Back to Dashboard
          </Link>
          {trail && <Trail steps={trail} />}
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
      {managesSchool && isOfSchool(pathname) && <SchoolNavigation />}
      {props.children}
    </div>
  );
}

function Trail({ steps }: { steps: TrailStep[] }) {
  return (
    <nav aria-label="Breadcrumb" className="trail">
      <ol>
        {steps.map(({ label, to }) => (
          <li key={label}>{to ? <Link to={to}>{label}</Link> : <span>{label}</span>}</li>
        ))}
      </ol>
    </nav>
  );
}

/** Works with script only: the style sheet shows it once the page is interactive. */
export function PrintButton() {
  return (
    <Button type="button" data-needs-script="" onClick={() => window.print()}>
      Print
    </Button>
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
