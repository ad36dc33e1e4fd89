import { z } from 'zod';

const changeFields = z.looseObject({ changed: z.unknown().optional() });
const changesFields = z.looseObject({ hobbs: changeFields.optional(), tach: changeFields.optional() });

/** Returns a form's meter changes, without those of meters whose box is not ticked. */
export function declaredChanges(fields: unknown): unknown {
  const { hobbs, tach } = changesFields.safeParse(fields).data ?? {};
  return {
    ...(hobbs?.changed ? { hobbs: withReadings(hobbs) } : {}),
    ...(tach?.changed ? { tach: withReadings(tach) } : {}),
  };
}

/** What is left empty is told as missing. */
function withReadings({ changed: _box, ...change }: z.infer<typeof changeFields>) {
  return { oldLast: '', newFirst: '', ...change };
}
