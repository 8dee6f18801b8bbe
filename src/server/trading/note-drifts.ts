import type { Pair } from '#core/market/pair.ts'
import { allowedDriftBps } from '#core/strategy/strategy.ts'
import { appliedAfterClose } from '#core/trading/drift.ts'
import type { Queries } from '#server/db/statement.ts'
import type { Market } from './engine-market.ts'
import { findPools, setApplied } from './store.ts'

/**
 * Gives each balanced pool that the last hour's close has moved out of its band its actual exposure
 * as the applied one, so that it is traded back like any pool whose target differs from it. Runs
 * once an hour, in the transaction that moves the clock: a repeated hour would compare the same
 * close with what the pool holds after its trade. Returns the pairs of these pools.
 */
export async function noteDrifts(
  tx: Queries,
  market: Pick<Market, 'wants' | 'closeOfHour'>,
): Promise<Pair[]> {
  const drifted = (await findPools(tx)).flatMap(({ id, pair, strategy, ...pool }) => {
    const driftBps = allowedDriftBps(strategy)
    // Without a want, the market no longer has the pair.
    const want = market.wants(pair).find((one) => one.strategy === strategy)
    if (pool.base === 0n || driftBps === undefined || want === undefined) return []
    const close = market.closeOfHour(pair)
    if (close === undefined) return []
    const applied = appliedAfterClose(pool, {
      exposureBps: want.cause.exposureBps,
      driftBps,
      close,
    })
    return applied === pool.appliedBps ? [] : [{ id, pair, exposureBps: applied }]
  })
  await setApplied(tx, drifted)
  return drifted.map(({ pair }) => pair)
}
