import type { Toast } from '#app/ui/page/toast-region.tsx';

interface Reply {
  status: number;
  toast: Toast | null;
}

/** Returns the action's reason if there is one, else the loader's. */
export function conflictText(foundByLoader: string | null, reply: Reply | undefined): string | null {
  if (!reply) return foundByLoader;
  return reply.status === 409 ? (reply.toast?.text ?? null) : null;
}
