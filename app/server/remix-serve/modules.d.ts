declare module 'compression' {
  import type { IncomingMessage, ServerResponse } from 'node:http';
  export default function compression(): (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
}

declare module 'virtual:remix/server-build' {
  export * from '@remix-run/dev/server-build';
}
