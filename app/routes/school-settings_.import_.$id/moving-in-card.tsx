import { Card, DateTime, DescriptionList } from '#app/ui/elements.tsx';
import type { Loaded } from './import-page.server.ts';

interface MovingInCardProps {
  movingIn: NonNullable<Loaded['movingIn']>;
}

export function MovingInCard({ movingIn: { school, exportedAt, counts, you } }: MovingInCardProps) {
  return (
    <Card
      title={`Everything of ${school}`}
      subtitle="All of it comes into this school, or nothing. This school gets the name, the time zone and the settings of the file. It cannot be taken back in one step."
    >
      <DescriptionList
        items={[
          { term: 'Exported', detail: <DateTime value={exportedAt} /> },
          ...counts.map(({ label, rows }) => ({ term: label, detail: rows.toLocaleString('en') })),
          ...(you === undefined ? [] : [{ term: 'You are', detail: you }]),
        ]}
      />
      <p className="hint">
        You keep your sign-in. Nobody else has a password yet: send each of them a link from their page.
      </p>
    </Card>
  );
}
