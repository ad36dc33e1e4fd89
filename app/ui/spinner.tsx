/** Something is under way (C70). It comes in late by CSS, so that a quick answer does not flicker. */
export function Spinner() {
  return (
    <div className="spinner" role="status">
      <span className="spinner-ring" aria-hidden="true" />
      Loading
    </div>
  );
}
