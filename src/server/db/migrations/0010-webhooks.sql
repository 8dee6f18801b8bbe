-- Addresses of users' own programs, to which notices are sent with a signature.
create table webhooks (
  user_id uuid not null constraint webhooks_user references users, id uuid not null,
  address text not null, topics text[] not null, secret_sealed text not null,
  earlier_sealed text, earlier_until timestamptz, -- Until then the earlier secret signs too.
  created_at timestamptz not null default now(),
  failing_since timestamptz, -- The first failure since the last message that was taken.
  disabled_at timestamptz, primary key (user_id, id)
);
alter table deliveries add column webhook_id uuid,
  add column answer smallint, -- The last HTTP status. Null if there was none.
  drop constraint deliveries_channel,
  add constraint deliveries_channel check (channel in ('mail', 'push', 'webhook')),
  add constraint deliveries_webhook check ((channel = 'webhook') = (webhook_id is not null));
-- One message, with one id, for each notice and webhook.
create unique index deliveries_webhooks on deliveries (user_id, webhook_id, notice_id)
  where channel = 'webhook';
