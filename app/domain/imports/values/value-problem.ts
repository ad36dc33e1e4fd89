/** Why a cell cannot be what its column is chosen for. */
export class ValueProblem extends Error {}
