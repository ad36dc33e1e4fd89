/** Why a cell cannot be what its column is chosen for. */
export class ValueProblem extends Error {}

export function found<Value>(value: Value | undefined, problem: string): Value {
  if (value === undefined) throw new ValueProblem(problem);
  return value;
}

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
