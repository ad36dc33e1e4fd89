import pg from './driver.ts';
import { splitHosts } from './hosts.ts';

/** Returns the role that an address signs in as: the one in it, or the one that Postgres' own programs would take. */
export function databaseRoleOf(url: string): string {
  const [first = url] = splitHosts(url);
  return new pg.Client({ connectionString: first }).user ?? '';
}

/** Returns the owner's statement that lets the product's role use the tables; without effect where one role is both (docs/decisions/212). */
export function grantStatementFor(role: string): string {
  return `
    do $$
    declare
      product text := ${pg.escapeLiteral(role)};
      relation record;
    begin
      if product = current_user then return; end if;
      if not has_schema_privilege(product, current_schema(), 'usage') then
        execute format('grant usage on schema %I to %I', current_schema(), product);
      end if;
      for relation in
        select oid::regclass as name, case
          when relname in ('audit_entries', 'audit_seals') then 'select, insert'
          when relname = 'audit_emails' then 'select, insert, delete'
          when relname ~ '^kysely_' or relkind in ('v', 'm') then 'select'
          when relkind = 'S' then 'usage, select, update'
          else 'select, insert, update, delete' end as rights
        from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
          and pg_has_role(relowner, 'usage')
      loop
        execute format('revoke all on %s from %I; grant %s on %1$s to %2$I', relation.name, product, relation.rights);
      end loop;
    end $$`;
}
