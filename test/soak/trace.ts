import { required } from '#core/assert.ts'
import type { Sql } from '#server/db/open.ts'

/**
 * The database itself records the order of the engine's commits: a killed engine cannot report it,
 * and an engine whose connection was cut does not know its last one. The model reads the events
 * from this record, never their amounts.
 */

export type EventKind = 'hour' | 'bot' | 'served' | 'planned' | 'settled' | 'change'

/** A row as it was written, all as text, at a market time. `before`: the row before an update. */
export type Event = { kind: EventKind; row: Row; before: Row; atMs: number }

type Row = Record<string, string | null>

export async function startTrace(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create table soak_trace (
      seq bigint generated always as identity primary key,
      xact text not null default pg_current_xact_id()::text, kind text not null, row text not null,
      before text,
      at timestamptz not null);
    create function soak_text(of jsonb) returns text language sql as $$
    select jsonb_object_agg(key, value)::text from jsonb_each_text(of) $$;
    create function soak_note() returns trigger language plpgsql as $$
    begin
      insert into soak_trace (kind, row, before, at)
      select tg_argv[0], soak_text(to_jsonb(new)), case when tg_op = 'UPDATE'
             then soak_text(to_jsonb(old)) end, market_time from market_clock;
      return null;
    end $$;
    create trigger soak_bot after update on trading_bots for each row
      when (old.engine_status is distinct from new.engine_status
           or old.engine_taking_bps is distinct from new.engine_taking_bps
           or old.engine_changing is distinct from new.engine_changing
           or (old.pending > 0 and new.pending = 0))
      execute function soak_note('bot');
    create trigger soak_hour after update on market_clock for each row
    when (old.settled_time <> new.settled_time) execute function soak_note('hour');
    create trigger soak_served after update on pools for each row
      when (old.changes = new.changes and old.applied_bps <> new.applied_bps) execute function
           soak_note('served');
    create trigger soak_planned after insert on engine_blocks
    for each row execute function soak_note('planned');
    create trigger soak_settled after update on engine_blocks
    for each row execute function soak_note('settled');
    create trigger soak_change after insert on pool_changes
    for each row execute function soak_note('change')`)
}

export type TraceReader = { next: () => Promise<Event[][]> }

/** Returns the events committed since the last call, grouped by database transaction. */
export function readTrace(sql: Sql): TraceReader {
  let seen = 0n
  return {
    next: async () => {
      const rows = await sql<
        {
          seq: bigint
          xact: string
          kind: EventKind
          row: string
          before: string | null
          at: Date
        }[]
      >`
        select seq, xact, kind, row, before, at from soak_trace where seq > ${seen} order by seq`
      const transactions = new Map<string, Event[]>()
      for (const { seq, xact, kind, row, before, at } of rows) {
        seen = seq
        const events = transactions.get(xact) ?? []
        transactions.set(xact, events)
        events.push({
          kind,
          row: JSON.parse(row) as Row,
          before: JSON.parse(before ?? '{}') as Row,
          atMs: at.getTime(),
        })
      }
      return [...transactions.values()]
    },
  }
}

/** A column of an event that is never null. */
export function text({ row }: Event, column: string): string {
  return required(row[column], `${column} of a traced row`)
}
