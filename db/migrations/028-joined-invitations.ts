import { type Kysely, sql } from 'kysely';

/** No address of a user is invited: whoever gets it ends its invitation, whichever release writes the row. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    update invitations set accepted_at = now(), accepted_by = users.id
    from users
    where users.school_id = invitations.school_id and lower(users.email) = lower(invitations.email)
      and users.deleted_at is null and invitations.accepted_at is null`.execute(db);

  // The school's lock makes one of a user and an invitation for the same address see the other.
  await sql`
    create function end_joined_invitations() returns trigger language plpgsql as $$
    begin
      perform 1 from schools where id = new.school_id for no key update;
      update invitations set accepted_at = now(), accepted_by = new.id
        where school_id = new.school_id and accepted_at is null
          and (lower(email) = lower(new.email) or former_user_id = new.id);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger end_joined_invitations after insert or update of school_id, email, deleted_at on users
    for each row when (new.deleted_at is null and new.school_id is not null)
    execute function end_joined_invitations()`.execute(db);

  await sql`
    create function refuse_invitation_of_member() returns trigger language plpgsql as $$
    begin
      perform 1 from schools where id = new.school_id for no key update;
      if exists (
        select from users where school_id = new.school_id and deleted_at is null
          and (lower(email) = lower(new.email) or id = new.former_user_id)
      ) then
        raise exception 'the invitation is for a member' using errcode = 'unique_violation',
          constraint = 'invitations_of_no_member';
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger refuse_invitation_of_member
    before insert or update of school_id, email, accepted_at, former_user_id on invitations
    for each row when (new.accepted_at is null) execute function refuse_invitation_of_member()`.execute(db);
}
