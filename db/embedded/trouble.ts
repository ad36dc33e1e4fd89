import { channel } from 'node:diagnostics_channel';

declare global {
  /** The variable is global, since the launcher and the build load their own copies of this module. */
  var embeddedPostgresTrouble: string | undefined;
}

export function embeddedTrouble(): string | undefined {
  return globalThis.embeddedPostgresTrouble;
}

export function noteEmbeddedTrouble(reason: string | undefined): void {
  globalThis.embeddedPostgresTrouble = reason;
}

/** The channel told when the server has ended unasked; its name joins the copies of this module. */
export const databaseRestartChannel = channel('flightline:embedded-postgres-restarts');
