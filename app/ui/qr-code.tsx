interface QrCodeProps {
  qr: { size: number; path: string };
  label: string;
}

export function QrCode({ qr, label }: QrCodeProps) {
  return (
    <svg className="qr-code" role="img" viewBox={`0 0 ${qr.size} ${qr.size}`} aria-label={label}>
      <path d={qr.path} />
    </svg>
  );
}
