import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table users
      add column name text constraint users_name_filled check (btrim(name) <> '')`.execute(db);
  await sql`create index users_namesakes on users (school_id, username_key, id)`.execute(db);
  await sql`create index users_left on users (school_id, lower(email)) where deleted_at is not null`.execute(db);
  await sql`
    alter table invitations
      add column former_user_id integer,
      add constraint invitations_former_user foreign key (school_id, former_user_id) references users (school_id, id)`.execute(
    db,
  );
}
