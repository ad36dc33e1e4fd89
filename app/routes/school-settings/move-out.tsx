import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { paths } from '#app/paths.ts';

export function MoveOut({ isExported }: { isExported: boolean }) {
  return (
    <Card
      title="Everything of this school"
      actions={
        <>
          <ButtonLink to={paths.exportSchool}>Export Everything</ButtonLink>
          {isExported && <ButtonLink to={paths.removeSchool}>Delete This School</ButtonLink>}
        </>
      }
    >
      <p>People, aircraft, flights, photos and events in one zip file, to keep or to move with.</p>
    </Card>
  );
}
