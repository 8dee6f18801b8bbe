#!/bin/sh
# make-certificates.sh FOLDER ADDRESS…: an authority of your own, and one certificate for the PostgreSQLs at these addresses. It names localhost
# too, because the product reaches them through the HAProxy of its own machine. Keep ca.key off all machines of the product and the database.
set -eu
folder=$1
shift
names=DNS:localhost
for address in "$@"; do names=$names,IP:$address; done
cd "$folder"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj '/CN=Trading Bot database' -keyout ca.key -out database-ca.crt
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=database' -keyout database.key -out database.csr
printf 'subjectAltName=%s\n' "$names" > names
openssl x509 -req -in database.csr -CA database-ca.crt -CAkey ca.key -CAcreateserial -days 825 -extfile names -out database.crt
rm database.csr names
