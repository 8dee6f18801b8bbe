import { required } from '#core/assert.ts'
import { DAY_MS, floorHour } from '#core/market/candle.ts'
import { historyStart } from '#core/market/candle-series.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { unitsOfSignal } from '#core/money/signal.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { findYields } from '#server/holdings/yields.ts'
import { throttle } from '#server/security/throttle.ts'
import { PATIENCE_MS, recordOf } from './get-track-record.ts'
import { poolIdOf, showPoint } from './show-record.ts'
import { findRecordedChanges } from './store.ts'

const SPAN_MS = 30 * DAY_MS

/** A pool's value per unit at every hour of 30 days, beside its backtest's. Public. */
export const getPoolRecord: Handler<'getPoolRecord'> = async (
  context,
  { params: { id }, query, client, gone },
) => {
  await throttle(context.sql, { key: `record:${client.address}`, limit: 120, windowSeconds: 60 })
  const record = await context.record.soon(PATIENCE_MS)
  if (record === undefined || record === 'failed') throw new Refusal('temporarily-unavailable')
  const { pair, strategy } = found(record.pools.find((pool) => poolIdOf(pool) === id))
  const askedMs = query.until === undefined ? record.untilMs : floorHour(Date.parse(query.until))
  const untilMs = Math.min(record.untilMs, Math.max(record.fromMs, askedMs))
  const fromMs = Math.max(record.fromMs, untilMs - SPAN_MS)
  const checkpoint = found(context.record.checkpoint(fromMs))
  const pool = required(
    checkpoint.pools.find((one) => poolIdOf(one) === id),
    'a checkpoint has every pool',
  )
  const changes = await findRecordedChanges(context.sql, {
    pools: [{ id: pool.id, after: pool.followed.lastChange }],
    until: new Date(untilMs),
  })
  const hours = await context.compute.run(
    'poolRecord',
    {
      pool,
      series: context.feed.candles({
        pair,
        fromMs: historyStart(checkpoint.untilMs),
        toMs: untilMs,
      }),
      changes: changes.get(pool.id) ?? [],
      yields: await findYields(context.sql, { fromMs: pool.followed.untilMs, toMs: untilMs }),
      costs: context.costs,
      fromMs,
      toMs: untilMs,
    },
    { owner: client.address, gone },
  )
  const shown = hours.map((point) => ({
    ...showPoint(strategy, point),
    unitValue: ratioText(point.real),
  }))
  return { id, strategy, pair, ...recordOf(context), hours: shown }
}

function found<Found>(value: Found | undefined): Found {
  if (value === undefined) throw new Refusal('not-found')
  return value
}

const ratioText = (ratio: number): string => unitsToDecimal(unitsOfSignal(ratio), 8)
