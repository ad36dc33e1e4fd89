import type { ServerResponse } from 'node:http';
import { DEFAULT_HEADERS } from '../security-headers.server.ts';

const POLICY = 'content-security-policy';

/** Adds what a response lacks when it is sent: static files and refusals never pass through our routes. */
export function addDefaultHeaders(response: ServerResponse): void {
  response.writeHead = new Proxy(response.writeHead, {
    apply: (writeHead, self, args) => {
      // Express's own refusals and redirects could be framed.
      if (response.getHeader(POLICY) === "default-src 'none'") response.removeHeader(POLICY);
      for (const [name, value] of Object.entries(DEFAULT_HEADERS)) {
        if (!response.hasHeader(name)) response.setHeader(name, value);
      }
      // The static file server names no charset for it.
      if (response.getHeader('content-type') === 'image/svg+xml')
        response.setHeader('content-type', 'image/svg+xml; charset=utf-8');
      return Reflect.apply(writeHead, self, args);
    },
  });
}
