declare global {
  /** Global, since the launcher and the build load their own copies. */
  var embeddedPostgresTrouble: string | undefined;
}

/** Why the embedded Postgres is down, while it is. */
export function embeddedTrouble(): string | undefined {
  return globalThis.embeddedPostgresTrouble;
}

export function noteEmbeddedTrouble(reason: string | undefined): void {
  globalThis.embeddedPostgresTrouble = reason;
}
