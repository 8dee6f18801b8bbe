-- The language in which the user reads, for what is sent while nobody is asking; a verified address alone gets more mail than its verification.
alter table users add column language text not null default 'en' constraint users_language check (language in ('en', 'de'));
alter table users add column email_verified_at timestamptz;
-- The address that takes the place of the verified one as soon as it is verified too.
alter table users add column pending_email text;
-- An address is listed once it is verified: typing somebody else's takes it from nobody.
delete from emails;

-- What happened to a user: a kind and its values. Its sentences are made in the reader's language when it is shown or sent.
create table notices (
  user_id uuid not null constraint notices_user references users,
  id uuid not null,
  kind text not null,
  -- Names the event: inserted twice, it is one notice.
  event_key text not null,
  details jsonb not null,
  -- False where the user switched this topic off in the inbox.
  in_inbox boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  read_at timestamptz,
  constraint notices_pkey primary key (user_id, id),
  constraint notices_event unique (user_id, event_key)
);
create index notices_unread on notices (user_id) where read_at is null and in_inbox;

-- Browsers that the user allowed to show push messages.
create table push_subscriptions (
  user_id uuid not null constraint push_subscriptions_user references users,
  id uuid not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  user_agent text not null,
  created_at timestamptz not null default now(),
  constraint push_subscriptions_pkey primary key (user_id, id),
  constraint push_subscriptions_endpoint unique (user_id, endpoint)
);

-- The outbox: one row for each message to one address or browser, written in the transaction of what it tells of.
create table deliveries (
  user_id uuid not null constraint deliveries_user references users,
  -- Makes the Message-ID and the push topic, so that a message sent twice is recognized, and the secret of the link in it.
  id uuid not null default gen_random_uuid(),
  channel text not null constraint deliveries_channel check (channel in ('mail', 'push')),
  -- Null where the message has no place in the inbox: a link to verify an address, or to set a new password.
  notice_id uuid,
  kind text not null,
  details jsonb not null,
  -- The address: given where it is not the user's verified one, else noted when the message is sent. The browser of a push message.
  address text,
  subscription_id uuid,
  -- Security and links come before everything else, however many figures of the week are on their way.
  is_urgent boolean not null,
  state text not null default 'waiting' constraint deliveries_state check (state in ('waiting', 'sent', 'given-up')),
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  -- The link in the message works once.
  link_used_at timestamptz,
  constraint deliveries_pkey primary key (user_id, id),
  constraint deliveries_notice foreign key (user_id, notice_id) references notices (user_id, id),
  constraint deliveries_sent check ((state = 'sent') = (sent_at is not null)),
  constraint deliveries_push check ((channel = 'push') = (subscription_id is not null))
);
create index deliveries_due on deliveries (channel, is_urgent desc, due_at) where state = 'waiting';
create index deliveries_mail on deliveries (user_id, created_at) where channel = 'mail';

-- Only what differs from the product's own choice.
create table notice_preferences (
  user_id uuid not null constraint notice_preferences_user references users,
  topic text not null,
  channel text not null constraint notice_preferences_channel check (channel in ('inbox', 'mail', 'push')),
  is_on boolean not null,
  constraint notice_preferences_pkey primary key (user_id, topic, channel)
);

create table notice_settings (
  user_id uuid not null constraint notice_settings_user references users,
  -- Amounts in push messages, which a locked screen shows to anybody.
  push_amounts boolean not null default false,
  -- The trading loss at which the user wants a notice, and whether it was reported since it was last below the limit.
  loss_limit bigint constraint notice_settings_loss_limit check (loss_limit > 0),
  loss_reported boolean not null default false,
  constraint notice_settings_pkey primary key (user_id)
);

-- What had gone in and out by the last weekly digest, and the result of trading by then: the next digest tells the differences, so that weeks
-- add up.
create table digest_totals (
  user_id uuid not null constraint digest_totals_user references users,
  -- The week of the digest, such as 2026-W48.
  week text not null,
  deposited bigint not null,
  withdrawn bigint not null,
  fees bigint not null,
  result bigint not null,
  constraint digest_totals_pkey primary key (user_id)
);

-- Names and addresses for which a link to a new password was asked. A job looks them up, so that asking takes the same work for all of them.
create table reset_requests (
  id uuid constraint reset_requests_pkey primary key,
  asked text not null,
  created_at timestamptz not null default now()
);

-- Withdrawals of the user wait while one of these lasts. `until` null: until it is lifted.
create table withdrawal_holds (
  user_id uuid not null constraint withdrawal_holds_user references users,
  id uuid not null,
  reason text not null,
  until timestamptz,
  created_at timestamptz not null default now(),
  lifted_at timestamptz,
  constraint withdrawal_holds_pkey primary key (user_id, id)
);
create index withdrawal_holds_lasting on withdrawal_holds (user_id) where lifted_at is null;

-- Whether the owner was told that the bot has traded for the first time. Those of before are not told of.
alter table trading_bots add column first_trade_reported boolean not null default true;
alter table trading_bots alter column first_trade_reported set default false;
create index trading_bots_first_trade on trading_bots (id) where not first_trade_reported;
