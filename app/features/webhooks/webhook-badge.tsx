import { Badge, type BadgeTone } from '#app/ui/elements.tsx';

export type WebhookState = 'active' | 'paused' | 'failing';

const BADGES: Record<WebhookState, { tone: BadgeTone; text: string }> = {
  active: { tone: 'available', text: 'Active' },
  paused: { tone: 'secondary', text: 'Paused' },
  failing: { tone: 'overdue', text: 'Failing' },
};

export function WebhookBadge({ state }: { state: WebhookState }) {
  const { tone, text } = BADGES[state];
  return <Badge tone={tone}>{text}</Badge>;
}
