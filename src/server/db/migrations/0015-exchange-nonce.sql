-- The last nonce of a signed request at the exchange, stored before it is used: whoever signs next, in whatever process, after a restart
-- or on a clock that was set back, uses a greater one. A new key may begin anywhere, so one row serves all keys.
create table exchange_nonce (
  only_row boolean constraint exchange_nonce_pkey primary key default true constraint exchange_nonce_only_row check (only_row),
  last bigint not null
);
