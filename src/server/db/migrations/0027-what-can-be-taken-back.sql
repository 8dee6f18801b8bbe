-- What "This was not me" gives back must be known for as long as its links work.

-- The addresses that a user verified. A row goes 7 days after its address was given up.
create table verified_emails (
  user_id uuid not null constraint verified_emails_user references users,
  email text not null,
  verified_at timestamptz not null default clock_timestamp(),
  -- Since when another address is in its place; null for the present one.
  released_at timestamptz,
  constraint verified_emails_pkey primary key (user_id, email)
);
insert into verified_emails (user_id, email, verified_at) select id, email, email_verified_at from users where email is not null and email_verified_at is not null;
-- Addresses that were given up within the last 7 days: a message about it went there.
insert into verified_emails (user_id, email, verified_at, released_at)
select d.user_id, d.address, min(u.created_at), max(d.created_at)
  from deliveries d join users u on u.id = d.user_id
 where d.channel = 'mail' and d.kind = 'email-changed' and d.address is not null and d.address is distinct from d.details ->> 'address' and d.created_at > now() - interval '7 days'
 group by d.user_id, d.address
on conflict on constraint verified_emails_pkey do nothing;

-- Since when the address is no longer its user's. Nobody else can verify it for 7 days, in which it may be given back.
alter table emails add column released_at timestamptz;

-- The protections of withdrawals before each change of them.
create table withdrawal_protection_changes (
  user_id uuid not null constraint withdrawal_protection_changes_user references users,
  changed_at timestamptz not null default clock_timestamp(),
  delay_hours integer not null,
  daily_limit bigint,
  allowed_only boolean not null,
  constraint withdrawal_protection_changes_pkey primary key (user_id, changed_at)
);
-- Looser ones that came to apply within the last 7 days were chosen 48 hours before that at the earliest.
insert into withdrawal_protection_changes (user_id, changed_at, delay_hours, daily_limit, allowed_only)
select user_id, next_from - interval '48 hours', delay_hours, daily_limit, allowed_only from withdrawal_protections where next_from > now() - interval '7 days';

-- Recovery codes that newer ones replaced, and browsers whose push messages ended: those that were waiting are still sent.
alter table recovery_codes add column replaced_at timestamptz;
alter table push_subscriptions add column ended_at timestamptz;
