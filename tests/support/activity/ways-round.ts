/** Changes of what was recorded. */
export const CHANGES = [
  "update audit_entries set reason = 'forged'",
  'update audit_entries set user_id = null',
  'delete from audit_entries',
  'truncate audit_entries cascade',
  "update audit_seals set hash = 'forged'",
  'delete from audit_seals',
  'truncate audit_seals',
];

/** What would take the guard away, or give the power to, in the words of the embedded Postgres' roles. */
export const WAYS_ROUND = [
  "update audit_emails set email = 'forged@b.example'",
  'alter table audit_entries disable trigger append_only',
  'alter table audit_entries disable trigger all',
  'alter table flight_logs disable trigger record_update',
  'alter table audit_entries owner to current_user',
  'alter table audit_entries add column more text',
  'alter table schools alter column activity_kept_days drop not null',
  'drop trigger append_only on audit_entries',
  'drop table audit_emails',
  'drop table audit_entries cascade',
  'drop function refuse_audit_change cascade',
  "create or replace function refuse_audit_change() returns trigger language plpgsql as 'begin return old; end'",
  'create trigger mine before insert on audit_entries for each row execute function refuse_audit_change()',
  "create function now() returns timestamptz language sql as 'select timestamptz ''2999-01-01'''",
  'create table audit_seals_2 (id integer)',
  'create schema mine',
  'create rule mine as on insert to audit_entries do instead nothing',
  'set session_replication_role = replica',
  'set role flightline_owner',
  'set session authorization flightline_owner',
  'grant flightline_owner to flightline_app',
  'reassign owned by flightline_owner to flightline_app',
  'alter default privileges for role flightline_owner grant all on tables to flightline_app',
  'drop schema public cascade',
  "delete from kysely_migration where name = '105-role-of-the-product'",
];

/** How Postgres refuses whom the tables do not belong to. */
export const REFUSED =
  /permission denied|must be (owner|able to SET|member)|no privileges were granted|must have admin option|must have CREATEROLE/i;
