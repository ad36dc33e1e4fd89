/** Draws how much of its interval an inspection has used, from 0 to the interval; what is past it is red. */
export function Gauge({ used, label }: { used: number; label: string }) {
  const whole = Math.max(used, 1);
  const at = (share: number) => Math.round((Math.min(share, whole) / whole) * 1000);
  return (
    <svg className="gauge" role="img" aria-label={label} viewBox="0 0 1000 10" preserveAspectRatio="none">
      <rect width={at(Math.min(used, 1))} height="10" />
      {used > 1 && <rect data-past="" x={at(1)} width={1000 - at(1)} height="10" />}
      <path d={`M${Math.min(Math.max(at(used), 3), 997)} 0v10`} />
    </svg>
  );
}
