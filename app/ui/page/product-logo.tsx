export function ProductLogo() {
  return (
    <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">
      <circle cx="16" cy="16" r="15" className="logo-sky" />
      <path d="M1.6 20.2 30.4 11.8A15 15 0 0 1 1.6 20.2Z" className="logo-ground" />
      <path d="M1.6 20.2 30.4 11.8" className="logo-line" />
      <path d="M5 16h7l4 4 4-4h7" className="logo-wings" />
      <path d="M16 2v4" className="logo-line" />
    </svg>
  );
}
