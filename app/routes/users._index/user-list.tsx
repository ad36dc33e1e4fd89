import { type MarkedUser, UserRow } from './user-row.tsx';

interface UserListProps {
  users: MarkedUser[];
  ownId: number;
  requestId: string | null;
}

export function UserList({ users, ownId, requestId }: UserListProps) {
  return (
    <ul className="user-rows">
      {users.map((user) => (
        <UserRow key={user.id} user={user} isOwn={user.id === ownId} requestId={requestId} />
      ))}
    </ul>
  );
}
