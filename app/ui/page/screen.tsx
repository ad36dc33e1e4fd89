import type { ReactNode } from 'react';
import { type MetaFunction, useMatches, useRouteError, useRouteLoaderData } from '@remix-run/react';
import type { UnsentForms } from '#app/domain/drafts.server.ts';
import { paths } from '#app/paths.ts';
import { Button, Notice } from '../elements.tsx';
import { OtherDraftNotice } from '../forms/kept/other-draft-notice.tsx';
import { Link } from '../link.tsx';
import { type Toast, ToastRegion } from './toast-region.tsx';

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
  const [route] = useMatches().slice(-1);
  const handle = route?.handle as { navigation?: ReactNode } | undefined;
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
  const notice = useRouteLoaderData<RootData>('root')?.typed?.notice;
  if (useRouteError()) return null;
  return (
    <>
      {notice && <Notice tone="caution">{notice}</Notice>}
      <OtherDraftNotice />
    </>
  );
}

interface RootData {
  productName: string;
  viewer: { managesSchool: boolean } | null;
  toast: Toast | null;
  typed: { forms: UnsentForms; notice: string | undefined } | null;
}

export function useProductName(): string {
  return useRouteLoaderData<RootData>('root')?.productName ?? '';
}

/** Returns true for a reader who is led through the pages of the school. */
export function useManagesSchool(): boolean {
  return useRouteLoaderData<RootData>('root')?.viewer?.managesSchool === true;
}

/** Returns the toast of this page's action, or else the one that the last redirect flashed. */
export function useToast(reply: { toast: Toast | null } | undefined): Toast | null {
  const root = useRouteLoaderData<RootData>('root');
  return reply?.toast ?? root?.toast ?? null;
}

/** Returns what was typed into a form of this page and not sent, by field name, over what it shows otherwise. */
export function useTypedValues(formId: string, defaults: object | undefined): Record<string, unknown> {
  const { '': nameless, [formId]: typed } = useRouteLoaderData<RootData>('root')?.typed?.forms ?? {};
  // A posted form lacks each box that was not ticked.
  const shown = Object.entries(defaults ?? {}).filter(([, value]) => !typed?.isPosted || value !== 'on');
  return { ...Object.fromEntries(shown), ...nameless?.values, ...typed?.values };
}

/** Makes a route's `meta`: its title and the product's name. */
export function createTitleMeta(title: string): MetaFunction {
  return ({ matches }) => {
    const root = matches.find((match) => match.id === 'root')?.data as RootData | undefined;
    return [{ title: root ? `${title} · ${root.productName}` : title }];
  };
}
