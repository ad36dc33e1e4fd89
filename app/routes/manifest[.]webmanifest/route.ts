import { env } from '#app/env.server.ts';
import { paths, serverOnlyPaths } from '#app/paths.ts';
import { jsonResponse } from '#app/server/api/api-responses.server.ts';

const ICONS = [
  { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
];

export function loader(): Response {
  const manifest = {
    id: paths.dashboard,
    name: env.PRODUCT_NAME,
    short_name: env.PRODUCT_NAME,
    start_url: paths.dashboard,
    scope: paths.dashboard,
    display: 'standalone',
    background_color: '#e8ecf0',
    theme_color: '#0e1821',
    icons: ICONS,
    shortcuts: [
      { name: 'Check Out', url: paths.checkOut },
      { name: 'Check In', url: serverOnlyPaths.ownCheckIn },
    ],
  };
  return jsonResponse(manifest, 200, { 'content-type': 'application/manifest+json' });
}
