/**
 * A meter reading in a window like the meter's own, the drum of the tenths set off. `value` is the decimal as stored,
 * and its text stays whole: '1234.5' can be found, copied and read aloud.
 */
export function Reading({ value, size = 'normal' }: { value: string; size?: 'normal' | 'large' }) {
  const [whole, tenths] = value.split('.');
  return (
    <span className="reading" data-size={size}>
      {whole}
      {tenths !== undefined && (
        <>
          <span className="reading-point">.</span>
          <span className="reading-tenths">{tenths}</span>
        </>
      )}
    </span>
  );
}
