import type { IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_BODY_IDLE_MS } from '#db/deadlines.ts';

/** Calls `refuse` when the next byte of the body takes too long to come; Node bounds only the whole of it. */
export function endSlowBody(request: IncomingMessage, response: ServerResponse, refuse: () => void): void {
  if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined) return;
  const { socket } = request;
  // A process that was busy reads first what has come meanwhile.
  const timer = setInterval(() => setImmediate(() => setImmediate(check)), REQUEST_BODY_IDLE_MS / 2).unref();
  let received = socket.bytesRead;
  let receivedAt = Date.now();
  function check() {
    if (request.complete) return clearInterval(timer);
    // Where bytes wait to be read here, nobody is late.
    if (socket.bytesRead !== received || request.readableLength > 0) {
      received = socket.bytesRead;
      receivedAt = Date.now();
    } else if (Date.now() - receivedAt >= REQUEST_BODY_IDLE_MS) {
      clearInterval(timer);
      if (!response.headersSent) refuse();
      else socket.destroy();
    }
  }
  for (const event of ['end', 'close']) request.once(event, () => clearInterval(timer));
}
