/** Tells password managers whose password the form is about. */
export function UsernameForPasswordManagers({ username }: { username: string }) {
  return (
    <span className="visually-hidden" aria-hidden="true">
      <input type="text" autoComplete="username" value={username} readOnly tabIndex={-1} />
    </span>
  );
}
