import path from 'node:path';
import { APPLICATION } from './cluster.ts';

export interface Ports {
  etcd: number;
  etcdPeer: number;
  haproxy: number;
  pgbouncer: number;
}

/** One Patroni and the Postgres it runs. */
export interface Member {
  name: string;
  folder: string;
  rest: number;
  postgres: number;
}

/** Returns the settings that docs/failures.md names; the times are the shortest that Patroni allows. */
export function patroniFile({ name, folder, rest, postgres }: Member, { etcd }: Ports, programs: string): string {
  return JSON.stringify({
    ...{ scope: 'flightline', name, etcd3: { hosts: `127.0.0.1:${etcd}` } },
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    bootstrap: {
      dcs: {
        ...{ ttl: 20, loop_wait: 1, retry_timeout: 3, master_start_timeout: 0, synchronous_mode: true },
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 60, wal_log_hints: 'on' } },
      },
      initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
      pg_hba: ['host replication all 127.0.0.1/32 trust', 'host all all 127.0.0.1/32 trust'],
    },
    postgresql: {
      ...{ listen: `127.0.0.1:${postgres}`, connect_address: `127.0.0.1:${postgres}` },
      ...{ data_dir: path.join(folder, 'data'), bin_dir: programs, pgpass: path.join(folder, 'pgpass') },
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      parameters: { unix_socket_directories: '' },
      remove_data_directory_on_rewind_failure: true,
    },
  });
}

/** Leads to the Postgres whose Patroni says that it is the primary. */
export function haproxyFile({ haproxy }: Ports, members: readonly Member[]): string {
  const servers = members.map(
    ({ name, rest, postgres }) => `  server ${name} 127.0.0.1:${postgres} check port ${rest}`,
  );
  return `defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 1s
listen postgres
  bind 127.0.0.1:${haproxy}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fastinter 200ms downinter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}

/** PgBouncer's own pause after a failed connection is 15 seconds. */
export function pgbouncerFile({ haproxy, pgbouncer }: Ports, users: string): string {
  return `[databases]
flightline = host=127.0.0.1 port=${haproxy} dbname=flightline
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${pgbouncer}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
max_client_conn = 200
server_login_retry = 0.2
server_connect_timeout = 2
`;
}

export const PGBOUNCER_USERS = `"${APPLICATION}" ""\n`;
