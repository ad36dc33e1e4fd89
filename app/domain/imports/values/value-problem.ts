/** Why a cell cannot be what its column is chosen for. */
export class ValueProblemError extends Error {}

export function requireValue<Value>(value: Value | undefined, problem: string): Value {
  if (value === undefined) throw new ValueProblemError(problem);
  return value;
}

/** Returns what `parse` does; undefined where the cell is refused. */
export function parseOrRefuse<Value>(parse: () => Value, refuse?: (problem: string) => void): Value | undefined {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ValueProblemError)) throw error;
    refuse?.(error.message);
    return undefined;
  }
}
