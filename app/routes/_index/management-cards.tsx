import type { Role } from '#db/roles.ts';
import { type Capability, can } from '#app/domain/permissions.ts';
import { paths } from '#app/paths.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';

interface ManagementCard {
  title: string;
  text: string;
  links: { label: string; to: string; can: Capability }[];
}

const CARDS: ManagementCard[] = [
  {
    title: 'Aircraft Management',
    text: 'Status, last readings and maintenance of every aircraft.',
    links: [
      { label: 'View Aircraft Fleet', to: paths.fleet, can: 'set aircraft status' },
      { label: 'Add New Aircraft', to: paths.addAircraft, can: 'manage aircraft' },
    ],
  },
  {
    title: 'User Management',
    text: 'Who may sign in, and in which role.',
    links: [
      { label: 'Manage Users', to: paths.users, can: 'manage users' },
      { label: 'Invite New User', to: paths.invitations, can: 'manage invitations' },
    ],
  },
  {
    title: 'Activity',
    text: 'Sign-ins, changes by administrators and refused requests.',
    links: [{ label: 'View Activity', to: paths.activity, can: 'see activity' }],
  },
];

export function ManagementCards({ role }: { role: Role }) {
  const cards = CARDS.map((card) => ({ ...card, links: card.links.filter((link) => can(role, link.can)) }));
  return cards
    .filter(({ links }) => links.length > 0)
    .map(({ title, text, links }) => (
      <Card
        key={title}
        title={title}
        actions={links.map(({ label, to }) => (
          <ButtonLink key={to} to={to}>
            {label}
          </ButtonLink>
        ))}
      >
        <p>{text}</p>
      </Card>
    ));
}
