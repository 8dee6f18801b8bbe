import { HOUR_MS } from '#core/market/candle.ts'
import type { Sql } from '#server/db/open.ts'

/** An hour that an engine settled, with its epoch. */
export type SettledHour = { hourMs: number; epoch: number }

/** Makes the database record every settled hour, in the transaction that settles it. */
export async function watchSettling(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create schema watch
    create table settled_hours (at bigint generated always as identity, hour timestamptz not null,
    epoch bigint not null, settled_at timestamptz not null default clock_timestamp());
    create function watch.note_hour() returns trigger language plpgsql security definer as $$
    begin
      insert into watch.settled_hours (hour, epoch) values (new.settled_time, new.leader_epoch);
      return null;
    end $$;
    create trigger watch_settling after update of settled_time on market_clock
    for each row execute function watch.note_hour()`)
}

export async function readSettled(sql: Sql): Promise<SettledHour[]> {
  return sql<SettledHour[]>`
    select extract(epoch from hour)::float8 * 1000 as hour_ms, epoch::integer as epoch
      from watch.settled_hours order by at`
}

export async function countSettled(sql: Sql): Promise<number> {
  const [row] = await sql<
    { count: number }[]
  >`select count(*)::integer as count from watch.settled_hours`
  return row?.count ?? 0
}

/**
 * Errors in the order of hours: settled twice, left out, or written by a leader that had lost the
 * lead.
 */
export function gapsIn(hours: readonly SettledHour[]): string[] {
  return hours.flatMap((hour, index) => {
    const before = hours[index - 1]
    if (before === undefined) return []
    const isNext = hour.hourMs === before.hourMs + HOUR_MS && hour.epoch >= before.epoch
    return isNext ? [] : [`${nameOf(before)}, then ${nameOf(hour)}`]
  })
}

const nameOf = ({ hourMs, epoch }: SettledHour): string =>
  `${new Date(hourMs).toISOString()} under lead ${epoch}`
