import { Link } from '#app/ui/link.tsx';

interface TrailStep {
  label: string;
  to?: string;
}

/** The pages above this one, and this one last, without a link. */
export function Trail({ steps }: { steps: TrailStep[] }) {
  return (
    <nav aria-label="Breadcrumb" className="trail">
      <ol>
        {steps.map(({ label, to }) => (
          <li key={label}>{to ? <Link to={to}>{label}</Link> : <span>{label}</span>}</li>
        ))}
      </ol>
    </nav>
  );
}
