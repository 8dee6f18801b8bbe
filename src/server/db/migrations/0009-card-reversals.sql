-- What the provider took back of a payment, as booked: refunds as a running total, and what disputes hold at present.
alter table payment_intents
  add column refunded bigint not null default 0 constraint payment_intents_refunded check (refunded >= 0),
  add column disputed bigint not null default 0 constraint payment_intents_disputed check (disputed >= 0),
  -- Rises with every settlement: what the provider said before the last one is never booked after it.
  add column revision integer not null default 0,
  -- When the sweep last asked the provider, so that every open payment gets its turn.
  add column asked_at timestamptz,
  add constraint payment_intents_taken_back check (status = 'succeeded' or (refunded = 0 and disputed = 0)),
  drop constraint payment_intents_status,
  -- abandoned: canceled at the provider, so that it can never be paid.
  add constraint payment_intents_status check (status in ('open', 'succeeded', 'abandoned'));
drop index payment_intents_open;
create index payment_intents_open on payment_intents (asked_at nulls first, created_at) where status = 'open';

-- A receivable is what a user owes: it is never above zero.
alter table ledger_accounts add constraint ledger_accounts_receivable_owed check (code <> 'customer:receivable' or balance <= 0);
create index ledger_accounts_debtors on ledger_accounts (owner) where code = 'customer:receivable' and balance < 0;

-- The sandbox's own book knows what a card provider would know of a payment afterwards.
alter table sandbox_payments
  add column refunded bigint not null default 0,
  add column disputed bigint not null default 0;
