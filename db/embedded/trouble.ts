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
