export type IdsByName = Map<string, number>;

export function idOf(ids: IdsByName, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`the demo school has no ${name}`);
  return id;
}
