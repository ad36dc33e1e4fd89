import { Link } from '#app/ui/link.tsx';
import { Reading } from '#app/features/meters/reading.tsx';
import { paths } from '#app/paths.ts';
import { Card } from '#app/ui/card.tsx';
import { Thumbnail } from '#app/ui/thumbnail.tsx';

interface PhotosCardProps {
  photos: { meter: string; src: string; value: string; flightId: number }[];
}

export function PhotosCard({ photos }: PhotosCardProps) {
  return (
    <Card title="Photos of the last readings">
      {photos.length === 0 && <p className="hint">None yet.</p>}
      <ul className="photo-list">
        {photos.map(({ meter, src, value, flightId }) => (
          <li key={meter}>
            <a href={src}>
              <Thumbnail src={src} alt={`${meter} at the end of flight ${flightId}`} />
            </a>
            <p>
              {meter} <Reading value={value} /> <Link to={paths.flightPage(flightId)}>#{flightId}</Link>
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
