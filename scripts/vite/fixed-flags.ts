import type { Plugin } from 'vite';

const REMIX = /\/node_modules\/(@remix-run\/(react|router)|react-router(-dom)?)\/dist\//;

/**
 * Questions of Remix while it runs, with the answers that this build knows; its source in node_modules is not minified.
 */
const KNOWN: readonly [RegExp, string][] = [
  [/\b(?:window\.__remixContext\.)?future\.v3_(?:singleFetch|fetcherPersist|relativeSplatPath)\b/g, 'true'],
  [/\bfuture\.v3_lazyRouteDiscovery\b/g, 'false'],
  [/\bfuture\.v7_(?:partialHydration|fetcherPersist|relativeSplatPath|prependBasename|normalizeFormMethod)\b/g, 'true'],
  [/\bfuture\.v7_skipActionErrorRevalidation\b/g, 'true'],
  [/\binit\.patchRoutesOnNavigation\b/g, 'undefined'],
  [/\bfogOfWar\.active\b(?! =)|(?<=if \()isFogOfWar\b/g, 'false'],
  // The code runs in a browser, and the server rendered the page.
  [/\btypeof document === "undefined"/g, 'false'],
  [/\B!isStatic\b/g, 'true'],
  [/(?<=\? )RemixRootDefaultHydrateFallback : undefined/g, 'undefined : undefined'],
  [/\bwindow\.__remixContext\.isSpaMode\b/g, 'false'],
  [/(\bif \(|[!(] ?|&& |= )isSpaMode\b(?= (?:\?|&&|\|\|)|\))/g, '$1false'],
  // The text is for developers whose root has no error boundary.
  [/\blet heyDeveloper = [\s\S]*?\n {2}\}\);/g, 'let heyDeveloper = null;'],
  [/\bawait prefetchStyleLinks\(route, routeModule\);/g, ''],
  [/\bcachedModule(?= \? prefetchStyleLinks\()/g, 'false'],
  // The app has no client loaders, deferred data, blockers, fetchers, prefetches, NavLinks or view transitions.
  [/\btypeof singleFetch === "function"/g, 'true'],
  [/\bshouldPrefetch && !isAbsolute\b/g, 'false'],
  [/\bNavLink\.displayName = "NavLink";/g, ''],
  [/\bisPageLinkDescriptor\(link\)(?= \?)/g, 'false'],
  [/(?<=\bif \()isBrowser(?=\) \{\s+\/\/ FIXME: This feels gross)/g, 'false'],
  [/(?<=\bif \()!viewTransitionOpts \|\| isViewTransitionUnavailable\b/g, 'true'],
  [/(?<=\bif \()renderDfd && pendingState && router\.window\b/g, 'false'],
  [/\brouteModule\.(?:clientLoader|HydrateFallback)\b/g, 'undefined'],
  [/\bmod\.clientLoader\b(?!;)/g, 'false'],
  [/\b(?:route|manifest\.routes\[m\.route\.id\])\.hasClientLoader\b/g, 'false'],
  [/(?<!function )\bisDeferred(?:Result|Data)\(\w+\)/g, 'false'],
  [/(?<=&& )__remixContext\.a\b/g, 'undefined'],
  [/\bblockerFunctions\.size === 0\b/g, 'true'],
  [/(?<=^ {4}navigate,\n) {4}fetch,$/gm, ''],
  [/\boptions\.navigate === false\b/g, 'false'],
  // The router aborts the read of a page that the user has left; the console needs no error for it.
  [
    /\bconsole\.error\(e\);(?=\s+throw new Error\(`Unable to decode)/g,
    'if (init.signal?.aborted) throw e; console.error(e);',
  ],
];

/** Replaces them in the browser's copy of Remix, so that the branches never taken are left out. */
export function fixedFlags(): Plugin {
  const unmatched = new Set(KNOWN);
  return {
    name: 'fixed-flags',
    apply: 'build',
    transform(code, id, options) {
      if (options?.ssr || !REMIX.test(id)) return undefined;
      let known = code;
      for (const entry of KNOWN) {
        const [pattern, value] = entry;
        if (known.search(pattern) >= 0) unmatched.delete(entry);
        known = known.replace(pattern, value);
      }
      return { code: known, map: null };
    },
    // A new version of Remix may ask otherwise.
    generateBundle() {
      if (this.environment.name === 'client' && unmatched.size > 0) {
        this.error(`Nothing in Remix matches ${[...unmatched].map(([pattern]) => String(pattern)).join(', ')}.`);
      }
    },
  };
}
