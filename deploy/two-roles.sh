#!/bin/sh
# Run once, as root: the tables stay with flightline, and the server signs in as flightline_app, which owns nothing. The commands
# sign in as flightline by the socket, which is closed to the server. The database is brought up to date, with a backup before.
set -eu
cd "$(dirname "$0")/.."
password=$(openssl rand -hex 24)
runuser -u postgres -- psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 <<SQL
do \$\$ begin create role flightline_app login; exception when duplicate_object then null; end \$\$;
alter role flightline_app password '$password';
SQL
sed -i -e '/^DATABASE_OWNER_URL=/d' -e "s|^DATABASE_URL=.*|DATABASE_URL=postgres://flightline_app:$password@localhost/flightline\\nDATABASE_OWNER_URL=postgres:///flightline?host=/run/postgresql|" .env
runuser -u flightline -- scripts/bin.mjs upgrade
cp -r deploy/flightline.service.d /etc/systemd/system/
systemctl daemon-reload
