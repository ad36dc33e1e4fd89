import * as build from 'virtual:remix/server-build';
import { createBuildHandler, createFileHandler } from '#app/server/remix-serve/answer.server.ts';
import { handServerToRemix } from '#app/server/remix-serve/hand-over.server.ts';
import { createFrontOfProcess } from '#app/server/remix-serve/front.server.ts';

/** remix-serve loads this file: the build as Remix makes it, whose requests meet our front before anything else. */
export * from 'virtual:remix/server-build';

handServerToRemix(
  createFrontOfProcess({ sendFile: createFileHandler(build.assetsBuildDirectory), answer: createBuildHandler(build) }),
);
