import type { ReactNode } from 'react';
import type { Role } from '#db/roles.ts';
import { type Capability, can } from '#app/domain/permissions.ts';
import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';
import { ButtonLink, Card } from '#app/ui/elements.tsx';

interface LinkCardsProps {
  role: Role;
  school: { name: string; address: string; phone: string } | null;
}

interface CardLink {
  label: string;
  to: string;
  can?: Capability;
}

const MANAGEMENT: { title: string; links: CardLink[] }[] = [
  {
    title: 'Aircraft Management',
    links: [
      { label: 'View Aircraft Fleet', to: paths.fleet, can: 'set aircraft status' },
      { label: 'Add New Aircraft', to: paths.addAircraft, can: 'manage aircraft' },
    ],
  },
  {
    title: 'User Management',
    links: [
      { label: 'Manage Users', to: paths.users, can: 'manage users' },
      { label: 'Invite New User', to: paths.invitations, can: 'manage invitations' },
    ],
  },
];

export function LinkCards({ role, school }: LinkCardsProps) {
  const settings: CardLink = { label: 'Manage School Settings', to: paths.schoolSettings, can: 'manage school' };
  return (
    <div className="columns link-cards">
      <LinkCard role={role} title="Flight School" links={[settings]}>
        {school ? (
          [school.name, school.address, school.phone].map((text) => <p key={text}>{text}</p>)
        ) : (
          <p>{texts.noSchool}</p>
        )}
      </LinkCard>
      <LinkCard role={role} title="Flight Logs" links={[{ label: 'View Flight History', to: paths.flightLogs }]} />
      {MANAGEMENT.map((card) => (
        <LinkCard key={card.title} role={role} {...card} />
      ))}
    </div>
  );
}

interface LinkCardProps {
  role: Role;
  title: string;
  links: CardLink[];
  children?: ReactNode;
}

function LinkCard({ role, title, links, children }: LinkCardProps) {
  const allowed = links.filter((link) => !link.can || can(role, link.can));
  if (allowed.length === 0 && !children) return null;
  const buttons = allowed.map(({ label, to }) => (
    <ButtonLink key={to} variant="quiet" to={to}>
      {label}
    </ButtonLink>
  ));
  return (
    <Card title={title} actions={buttons.length > 0 && buttons}>
      {children}
    </Card>
  );
}
