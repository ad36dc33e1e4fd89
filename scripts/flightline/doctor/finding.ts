/** The result of a check: all is well, something to know, or a fault and how it is mended. */
export interface Finding {
  level: 'ok' | 'note' | 'FAULT';
  about: string;
  text: string;
  mend?: string;
}

export function ok(about: string, text: string): Finding {
  return { level: 'ok', about, text };
}

export function note(about: string, text: string, mend?: string): Finding {
  return { level: 'note', about, text, ...(mend !== undefined && { mend }) };
}

export function fault(about: string, text: string, mend: string): Finding {
  return { level: 'FAULT', about, text, mend };
}

export function describeFinding({ level, about, text, mend }: Finding): string {
  const line = `${level.padEnd(7)} ${about}: ${text}`;
  return mend === undefined ? line : `${line}\n        To mend it: ${mend}`;
}
