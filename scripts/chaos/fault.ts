import type { Lab } from './lab/lab.ts';
import type { Random } from './random.ts';
import type { Crew } from './work/crew.ts';

interface Named {
  name: string;
  /** What is harmed, how, and how it is mended. */
  does: string;
  skipped?: () => string | undefined;
}

/** A lab that is harmed while a school is at work in it. */
export interface Scene {
  lab: Lab;
  crew: Crew;
  random: Random;
  /** Whether to harm once where a fault harms several times. */
  isBrief: boolean;
}

export interface CrewFault extends Named {
  timeZone?: string;
  /** A lab of its own instead of the one that the faults share. */
  ownLab?: () => Promise<Lab>;
  prepare?: (lab: Lab) => Promise<void>;
  /** Harms and mends; returns once mended. */
  harm: (scene: Scene) => Promise<void>;
  /** After the school has stopped: undoes `prepare`. */
  restore?: (lab: Lab) => Promise<void>;
  /** What else must be true at the end: a sentence for each thing that is not. */
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
  /** Answers by status, 500 and above. */
  serverErrors: Record<number, number>;
  longestMs: number;
  /** What was asked for then, where the clients know. */
  longestPath?: string;
  /** From the mending to the first answers as always; undefined where they never came. */
  recoveredMs: number | undefined;
  problems: string[];
}

export function isFailed({ lost, doubled, toldNo, serverErrors, recoveredMs, problems }: Result): boolean {
  return lost + doubled + toldNo + problems.length > 0 || (serverErrors[500] ?? 0) > 0 || recoveredMs === undefined;
}
