import type { MetaFunction } from '@remix-run/react';
import { useRouteLoaderData } from '@remix-run/react';
import type { Toast } from '../page/toast-region.tsx';

interface RootData {
  productName: string;
  toast: Toast | null;
}

export function useProductName(): string {
  return useRouteLoaderData<RootData>('root')?.productName ?? '';
}

/** The toast of this page's action, or else the one that the last redirect flashed. */
export function useToast(reply: { toast: Toast | null } | undefined): Toast | null {
  const root = useRouteLoaderData<RootData>('root');
  return reply?.toast ?? root?.toast ?? null;
}

/** A route's `meta`: its title and the product's name. */
export function pageTitle(title: string): MetaFunction {
  return ({ matches }) => {
    const root = matches.find((match) => match.id === 'root')?.data as RootData | undefined;
    return [{ title: root ? `${title} · ${root.productName}` : title }];
  };
}
