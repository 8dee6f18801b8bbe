-- A sum that goes into a bot every week or month, in market time, until its owner ends it or the bot is closed.
create table bot_plans (
  user_id uuid not null,
  bot_id uuid not null,
  -- Names the plan in its runs: one set later for the same bot is another.
  id uuid not null,
  amount bigint not null constraint bot_plans_amount check (amount > 0),
  every text not null constraint bot_plans_every check (every in ('week', 'month')),
  -- Worth of the bot above which the part above it is taken out instead; null without such a line.
  line bigint constraint bot_plans_line check (line > 0),
  -- The beginning of period 0, from which all others follow; the period that is served next, and its beginning.
  start_at timestamptz not null,
  period integer not null constraint bot_plans_period check (period >= 0),
  due_at timestamptz not null,
  -- The last period found too little cash, and its owner knows.
  is_short boolean not null default false,
  created_at timestamptz not null default now(),
  constraint bot_plans_pkey primary key (user_id, bot_id),
  constraint bot_plans_bot foreign key (user_id, bot_id) references trading_bots
);
create index bot_plans_due on bot_plans (due_at);

-- Every period that was served, append-only, so that none is served twice. added: the sum went into the bot · taken: the part above the line
-- is taken out · short: the cash did not cover the sum, and nothing moved.
create table bot_plan_runs (
  user_id uuid not null,
  bot_id uuid not null,
  plan_id uuid not null,
  period integer not null,
  outcome text not null constraint bot_plan_runs_outcome check (outcome in ('added', 'taken', 'short')),
  amount bigint not null,
  taking_bps integer,
  transfer_id uuid,
  market_time timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint bot_plan_runs_pkey primary key (user_id, bot_id, plan_id, period),
  constraint bot_plan_runs_bot foreign key (user_id, bot_id) references trading_bots,
  constraint bot_plan_runs_transfer foreign key (user_id, transfer_id) references ledger_transfers,
  constraint bot_plan_runs_added check ((outcome = 'added') = (transfer_id is not null)),
  constraint bot_plan_runs_taken check ((outcome = 'taken') = (taking_bps is not null))
);
create trigger bot_plan_runs_append_only before update or delete or truncate on bot_plan_runs
  for each statement execute function ledger_refuse_change();

-- The part being taken out was asked for by the bot's plan, which its row of the history says.
alter table trading_bots add column is_taken_by_plan boolean not null default false;
alter table trading_bots add constraint trading_bots_taken_by_plan check (not is_taken_by_plan or taking_bps is not null);
