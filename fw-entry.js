export { RemixBrowser, Form, Link, useActionData, useLoaderData, useLocation, useMatches, useNavigate, useNavigation, useRouteLoaderData, useSearchParams, useSubmit, isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration, useRouteError, useFetcher } from '@remix-run/react';
export { hydrateRoot } from 'react-dom/client';
export { jsx, jsxs, Fragment } from 'react/jsx-runtime';
export { startTransition, useEffect, useState, useRef, useId, createContext, useContext, useSyncExternalStore, useCallback, useMemo, Fragment as F2, useLayoutEffect, createElement } from 'react';
