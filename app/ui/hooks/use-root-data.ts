import { type MetaFunction, useRouteLoaderData } from '@remix-run/react';
import type { UnsentForms } from '#app/domain/drafts.server.ts';
import type { Toast } from '../page/toast-region.tsx';

interface RootData {
  productName: string;
  viewer: { managesSchool: boolean } | null;
  toast: Toast | null;
  typed: { forms: UnsentForms; origin: TypedOrigin } | null;
}

/** One of the page's forms was sent in a session that had ended, or typed elsewhere. */
type TypedOrigin = 'ended session' | 'elsewhere' | undefined;

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

export function useTypedOrigin(): TypedOrigin {
  return useRouteLoaderData<RootData>('root')?.typed?.origin;
}

/** Makes a route's `meta`: its title and the product's name. */
export function pageTitle(title: string): MetaFunction {
  return ({ matches }) => {
    const root = matches.find((match) => match.id === 'root')?.data as RootData | undefined;
    return [{ title: root ? `${title} · ${root.productName}` : title }];
  };
}
