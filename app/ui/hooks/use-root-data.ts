import type { MetaFunction } from '@remix-run/react';
import { useRouteLoaderData } from '@remix-run/react';
import type { Toast } from '../page/toast-region.tsx';

/** What root's loader gives every page. */
interface RootData {
  productName: string;
  toast: Toast | null;
}

/** The product's name, P in the texts; root always has it. */
export function useProductName(): string {
  return useRouteLoaderData<RootData>('root')?.productName ?? '';
}

/** The toast to show: the one this page's action answered with, else the one the last redirect left. */
export function useToast(reply: { toast: Toast | null } | undefined): Toast | null {
  const root = useRouteLoaderData<RootData>('root');
  return reply?.toast ?? root?.toast ?? null;
}

/** A page's `meta`: its own title, then the product's name. */
export function pageTitle(title: string): MetaFunction {
  return ({ matches }) => {
    const root = matches.find((match) => match.id === 'root')?.data as RootData | undefined;
    return [{ title: root ? `${title} · ${root.productName}` : title }];
  };
}
