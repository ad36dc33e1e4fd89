import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  await createInvitations(db);
  await keepMembersUninvited(db);
}

async function createInvitations(db: Kysely<any>): Promise<void> {
  await sql`
    create table invitations (
      id integer generated always as identity primary key,
      school_id integer not null references schools (id),
      name text not null,
      email text not null,
      role text not null constraint invitations_role_known check (role in ('administrator', 'instructor', 'student')),
      token_hash text not null constraint invitations_token_unique unique,
      invited_by integer not null,
      mail_id integer,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      accepted_at timestamptz,
      accepted_by integer,
      former_user_id integer,
      link_made_by integer,
      constraint invitations_of_school unique (school_id, id),
      foreign key (school_id, invited_by) references users (school_id, id),
      foreign key (school_id, accepted_by) references users (school_id, id),
      foreign key (school_id, mail_id) references mail_outbox (school_id, id),
      constraint invitations_former_user foreign key (school_id, former_user_id) references users (school_id, id),
      constraint invitations_link_made_by_fkey foreign key (school_id, link_made_by) references users (school_id, id),
      constraint invitations_accepted_with_user check ((accepted_at is null) = (accepted_by is null))
    );
    create unique index invitations_email_pending on invitations (school_id, lower(email)) where accepted_at is null;

    create table password_links (
      school_id integer not null,
      user_id integer not null,
      token_hash text not null constraint password_links_token_unique unique,
      mail_id integer,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_at timestamptz,
      made_by integer,
      primary key (school_id, user_id),
      foreign key (school_id, user_id) references users (school_id, id),
      foreign key (school_id, mail_id) references mail_outbox (school_id, id),
      constraint password_links_made_by_fkey foreign key (school_id, made_by) references users (school_id, id)
    )`.execute(db);
}

/** Keeps an address from having both a user and a pending invitation. */
async function keepMembersUninvited(db: Kysely<any>): Promise<void> {
  // The school's lock makes one of a user and an invitation for the same address see the other.
  await sql`
    create function end_joined_invitations() returns trigger language plpgsql as $$
    begin
      perform 1 from schools where id = new.school_id for no key update;
      update invitations set accepted_at = now(), accepted_by = new.id
        where school_id = new.school_id and accepted_at is null
          and (lower(email) = lower(new.email) or former_user_id = new.id);
      return null;
    end $$;
    create trigger end_joined_invitations after insert or update of school_id, email, deleted_at on users
    for each row when (new.deleted_at is null and new.school_id is not null)
    execute function end_joined_invitations();

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
    end $$;
    create trigger refuse_invitation_of_member
    before insert or update of school_id, email, accepted_at, former_user_id on invitations
    for each row when (new.accepted_at is null) execute function refuse_invitation_of_member()`.execute(db);
}
