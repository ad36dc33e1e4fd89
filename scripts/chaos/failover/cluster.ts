export const KINDS = ['kill', 'stop', 'freeze', 'switch-over'] as const;
export type Kind = (typeof KINDS)[number];

export const APPLICATION = 'flightline_app';

/** Two Postgres, one of which takes writes. */
export interface Cluster {
  url: string;
  /** Address of the Postgres that takes writes now, without anything in between. */
  primaryUrl(): Promise<string>;
  /** Takes the primary away; returns once the other one is promoted. */
  failOver(kind: Kind): Promise<void>;
  /** Brings the server that was taken away back as a standby that commits wait for. */
  rejoin(): Promise<void>;
  stop(): Promise<void>;
}

export function postgresUrl(port: number, user: string, database: string): string {
  return `postgres://${user}@127.0.0.1:${port}/${database}`;
}
