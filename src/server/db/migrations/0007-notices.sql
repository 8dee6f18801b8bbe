-- Notices of users: a kind and its values. Sentences are composed when one is shown or sent.
create table notices (
  user_id uuid not null constraint notices_user references users, id uuid not null,
  kind text not null, event_key text not null, -- Names the event: inserted twice, it is one notice.
  details jsonb not null,
  in_inbox boolean not null, -- False where the user switched this topic off in the inbox.
  created_at timestamptz not null default clock_timestamp(), read_at timestamptz,
  primary key (user_id, id), constraint notices_event unique (user_id, event_key)
);
create index notices_unread on notices (user_id) where read_at is null and in_inbox;

-- Browsers that the user allowed to show push messages.
create table push_subscriptions (
  user_id uuid not null constraint push_subscriptions_user references users, id uuid not null,
  endpoint text not null, p256dh text not null, auth text not null, user_agent text not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz, -- Messages that were waiting then are still sent.
  primary key (user_id, id), constraint push_subscriptions_endpoint unique (user_id, endpoint)
);

-- The outbox: one row for each message to one address or browser, written in the transaction of
-- what it tells of.
create table deliveries (
  user_id uuid not null constraint deliveries_user references users,
  -- Makes the Message-ID and the push topic, by which a message that was sent twice is recognized.
  id uuid not null default gen_random_uuid(),
  channel text not null constraint deliveries_channel check (channel in ('mail', 'push')),
  -- Null for a link to verify an address or to set a new password, which the inbox does not have.
  notice_id uuid, kind text not null, details jsonb not null,
  address text, -- Given where it is not the user's verified one, else noted when it is sent.
  subscription_id uuid, -- The browser of a push message.
  is_urgent boolean not null, -- Security and links are sent before everything else.
  state text not null default 'waiting'
    constraint deliveries_state check (state in ('waiting', 'sent', 'given-up')),
  attempts integer not null default 0, due_at timestamptz not null default now(),
  created_at timestamptz not null default now(), sent_at timestamptz,
  link_used_at timestamptz, -- The link in the message works once. The id makes its secret.
  primary key (user_id, id),
  constraint deliveries_notice foreign key (user_id, notice_id) references notices,
  constraint deliveries_sent check ((state = 'sent') = (sent_at is not null)),
  constraint deliveries_push check ((channel = 'push') = (subscription_id is not null))
);
create index deliveries_due on deliveries (channel, is_urgent desc, due_at) where state = 'waiting';
create index deliveries_mail on deliveries (user_id, created_at) where channel = 'mail';

-- Only what differs from the product's own choice.
create table notice_preferences (
  user_id uuid not null constraint notice_preferences_user references users, topic text not null,
  channel text not null
    constraint notice_preferences_channel check (channel in ('inbox', 'mail', 'push')),
  is_on boolean not null, primary key (user_id, topic, channel)
);

create table notice_settings (
  user_id uuid primary key constraint notice_settings_user references users,
  push_amounts boolean not null default false, -- Threat: a locked screen shows them to anybody.
  -- The trading loss at which the user wants a notice, and whether the present one was reported.
  loss_limit bigint constraint notice_settings_loss_limit check (loss_limit > 0),
  loss_reported boolean not null default false
);

-- The figures of the last weekly digest: the next one tells the differences, so that weeks add up.
create table digest_totals (
  user_id uuid primary key constraint digest_totals_user references users,
  week text not null, -- Such as 2026-W48.
  deposited bigint not null, withdrawn bigint not null, fees bigint not null, result bigint not null
);

-- Names and addresses for which a link to a new password was asked. A job looks them up, so that
-- asking takes the same work for all of them.
create table reset_requests (
  id uuid primary key, asked text not null, created_at timestamptz not null default now()
);
