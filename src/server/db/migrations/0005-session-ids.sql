-- What the user is told of a session: an id that signs nobody in, and when it was last used.
alter table sessions
  add column id uuid not null default gen_random_uuid() constraint sessions_id_unique unique,
  add column last_seen_at timestamptz not null default now();
alter table sessions alter column id drop default;
