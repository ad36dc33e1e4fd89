-- What the database's container runs once, as its superuser, on an empty volume: flightline owns the database and its tables,
-- flightline_app, as which the product signs in, owns nothing. The passwords are those of the addresses.
\set owner `cut -d: -f3 /run/secrets/owner | cut -d@ -f1`
\set product `cut -d: -f3 /run/secrets/product | cut -d@ -f1`
create role flightline login password :'owner';
create role flightline_app login password :'product';
create database flightline owner flightline;
