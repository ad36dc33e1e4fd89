import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table second_factors (
      user_id integer primary key references users (id),
      secret text not null,
      last_step integer not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table recovery_codes (
      user_id integer not null references users (id),
      code_hash text not null,
      used_at timestamptz,
      primary key (user_id, code_hash)
    )`.execute(db);
  await sql`alter table schools add column administrators_need_second_factor boolean not null default false`.execute(
    db,
  );
}
