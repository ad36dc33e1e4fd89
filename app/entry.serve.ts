import * as build from 'virtual:remix/server-build';
import { answerOf, filesOf } from '#app/server/remix-serve/answer.server.ts';
import { handOver } from '#app/server/remix-serve/hand-over.server.ts';
import { openFront } from '#app/server/remix-serve/front.server.ts';

/** remix-serve loads this file: the build as Remix makes it, whose requests meet our front before anything else. */
export * from 'virtual:remix/server-build';

handOver(openFront({ sendFile: filesOf(build.assetsBuildDirectory), answer: answerOf(build) }));
