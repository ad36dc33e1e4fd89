import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerBuild } from '@remix-run/node';
import { env } from '#app/env.server.ts';
import { log } from '../log.server.ts';
import { setRoutes } from '../observability/route-patterns.server.ts';
import { answerCall, callsOf } from './api-calls.server.ts';
import { sendResponse, toRequest } from './exchange.server.ts';
import { pagesOf } from './pages.server.ts';
import { refuse } from './refuse.server.ts';

/** Answers by a build: the calls of its API, and all else by Remix. */
export function answerOf(build: ServerBuild) {
  setRoutes(build.routes);
  const findCall = callsOf(build.routes);
  const findPage = pagesOf(build);
  return async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const request = toRequest(incoming, response, env.APP_URL);
      const call = findCall(incoming);
      await sendResponse(await (call ? answerCall(call, request) : findPage(incoming)(request)), response);
    } catch (error) {
      // Whoever made it has logged what is broken off on its way.
      if (response.headersSent) return;
      log.error({ err: error }, 'a request was not answered');
      refuse(response, { status: 500, text: 'Something went wrong.' });
    }
  };
}
