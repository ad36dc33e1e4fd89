/** Draws the meter's drums; the text stays whole for search, copying and screen readers. */
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
