-- What the database's container runs once, as its superuser, on an empty volume: the product's role owns its database and
-- nothing else, and adds to the activity as a role that can do no more.
\set password `cat /run/secrets/postgres`
create role flightline login password :'password';
create role flightline_activity nologin;
grant flightline_activity to flightline;
create database flightline owner flightline;
