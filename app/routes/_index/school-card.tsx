import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { DescriptionList } from '#app/ui/description-list.tsx';

interface SchoolCardProps {
  school: { name: string; address: string; phone: string } | null;
  canManage: boolean;
}

export function SchoolCard({ school, canManage }: SchoolCardProps) {
  return (
    <Card
      title="Flight School"
      actions={canManage && <ButtonLink to={paths.schoolSettings}>Manage School Settings</ButtonLink>}
    >
      {school ? (
        <DescriptionList
          items={[
            { term: 'Name', detail: school.name },
            { term: 'Address', detail: school.address },
            { term: 'Phone', detail: school.phone },
          ]}
        />
      ) : (
        <p>{texts.noSchool}</p>
      )}
    </Card>
  );
}
