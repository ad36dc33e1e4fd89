import { paths } from '#app/paths.ts';

/** Returns the path in `?to=`, which is never another site's or the sign-in page. */
export function parseReturnPath(url: URL): string {
  const to = url.searchParams.get('to') ?? paths.dashboard;
  const target = URL.canParse(to, url.origin) ? new URL(to, url.origin) : undefined;
  const inside = to.startsWith('/') && target?.origin === url.origin;
  if (!inside || target.pathname.startsWith('//') || /^\/(login|auth|logout|api)(\/|$|\.)/.test(target.pathname))
    return paths.dashboard;
  return target.pathname + target.search;
}
