/**
 * The one place for Remix's options; vite.config.ts reads it.
 * @type {import('@remix-run/dev').VitePluginConfig}
 */
export default {
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_singleFetch: true,
  },
  // One page under two addresses, spec §2: '/login and /auth both lead to the login page'.
  routes: (defineRoutes) =>
    defineRoutes((route) => {
      route('auth', 'routes/login/route.tsx', { id: 'routes/auth' });
    }),
};
