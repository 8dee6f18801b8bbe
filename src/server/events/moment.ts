import { part, type Queries } from '#server/db/statement.ts'
import type { Moment, Moments } from '#server/ports/events.ts'

export const LIFE = part`(extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint`

export const eventPositionText = ({ life, number }: Moment): string => `${life}.${number}`

export const MOMENT = /^(\d{1,20})\.(\d{1,20})$/

export function readMoment(text: string): Moment | undefined {
  const [, life, number] = MOMENT.exec(text) ?? []
  return life === undefined || number === undefined ? undefined : { life, number: BigInt(number) }
}

export async function momentNow(sql: Queries): Promise<Moments> {
  const [row] = await sql<{ life: string; past: string; next: string }[]>`
    select ${LIFE}::text as life,
           pg_snapshot_xmin(pg_current_snapshot())::text as past,
           pg_snapshot_xmax(pg_current_snapshot())::text as next`
  const { life = '', past = 0, next = 0 } = row ?? {}
  return { past: { life, number: BigInt(past) }, next: { life, number: BigInt(next) } }
}
