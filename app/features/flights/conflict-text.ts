import type { Toast } from '#app/ui/page/toast-region.tsx';

interface Reply {
  status: number;
  toast: Toast | null;
}

/** Why a flight cannot be changed: as the answer to the form says, else as its page found when it loaded. */
export function conflictText(foundByLoader: string | null, reply: Reply | undefined): string | null {
  if (!reply) return foundByLoader;
  return reply.status === 409 ? (reply.toast?.text ?? null) : null;
}
