import type { Lab } from './lab/lab.ts';
import type { Random } from './random.ts';
import type { Crew } from './work/crew.ts';

interface Named {
  name: string;
  /** Sentence on what is harmed, how, and how it is mended. */
  does: string;
  skipped?: () => string | undefined;
}

/** A lab that is harmed while a school is at work in it. */
export interface Scene {
  lab: Lab;
  crew: Crew;
  random: Random;
  /** True if a fault that harms several times is to harm once. */
  isBrief: boolean;
}

export interface CrewFault extends Named {
  timeZone?: string;
  /** Starts a lab for this fault alone, instead of the one that the faults share. */
  ownLab?: () => Promise<Lab>;
  prepare?: (lab: Lab) => Promise<void>;
  /** Harms and mends; returns once mended. */
  harm: (scene: Scene) => Promise<void>;
  /** Undoes `prepare` after the school has stopped. */
  restore?: (lab: Lab) => Promise<void>;
  /** Returns a sentence for each thing that must be true at the end and is not. */
  check?: (scene: Scene) => Promise<string[]>;
}

export interface ScriptedFault extends Named {
  run: (lab: Lab, random: Random) => Promise<Result>;
}

export type Fault = CrewFault | ScriptedFault;

export interface Result {
  acknowledged: number;
  lost: number;
  doubled: number;
  toldNo: number;
  /** Number of answers of status 500 and above, by status. */
  serverErrors: Record<number, number>;
  longestMs: number;
  /** The request that took longest, if the clients know it. */
  longestPath?: string;
  /** Milliseconds from the mending to the first answers as always; undefined if they never came. */
  recoveredMs: number | undefined;
  problems: string[];
}

export function isFailed({ lost, doubled, toldNo, serverErrors, recoveredMs, problems }: Result): boolean {
  return lost + doubled + toldNo + problems.length > 0 || (serverErrors[500] ?? 0) > 0 || recoveredMs === undefined;
}
