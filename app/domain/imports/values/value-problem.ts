/** Why a cell cannot be what its column is chosen for. */
export class ValueProblem extends Error {}

/** Returns what `parse` does; undefined where the cell is refused. */
export function valueOf<Value>(parse: () => Value, refuse?: (problem: string) => void): Value | undefined {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error;
    refuse?.(error.message);
    return undefined;
  }
}
