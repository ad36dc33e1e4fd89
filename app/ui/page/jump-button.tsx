/** Works with script only: the style sheet shows it once the page is interactive, between others that do not move then. */
export function JumpButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      className="button jump-button"
      data-needs-script=""
      aria-label="Jump"
      aria-haspopup="dialog"
      onClick={onClick}
    >
      <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <circle cx="10" cy="10" r="6" />
        <path d="M14.5 14.5 21 21" />
      </svg>
    </button>
  );
}
