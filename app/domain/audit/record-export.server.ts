import type { Db } from '#db/connect.server.ts';
import type { Actor } from '../actor.ts';
import { runOperation } from '../run-operation.server.ts';
import type { ActivityFilter } from './queries.server.ts';
import { writeAuditEntry } from './write-audit-entry.server.ts';

export async function recordActivityExport(db: Db, reader: Actor, filter: ActivityFilter): Promise<object> {
  const operation = {
    actor: reader,
    can: 'see activity',
    key: undefined,
    operation: 'export activity',
    input: null,
  } as const;
  return runOperation(db, operation, async (trx, actor) => {
    await writeAuditEntry(trx, actor, { action: 'exported activity', subject: 'export', after: filter });
    return {};
  });
}
