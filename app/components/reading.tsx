/**
 * A meter reading in a window like the meter's own, the drum of the tenths set off. `value` is the decimal as stored,
 * and its text stays whole: '1234.5' can be found, copied and read aloud.
 */
export function Reading({ value, size = 'normal' }: { value: string; size?: 'normal' | 'large' }) {
  const point = value.indexOf('.');
  return (
    <span className="reading" data-size={size}>
      {point < 0 ? value : value.slice(0, point)}
      {point >= 0 && <span className="reading-tenths">{value.slice(point)}</span>}
    </span>
  );
}
