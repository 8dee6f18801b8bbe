import type { MarketSource } from './market-source.ts'

/**
 * How far this machine's clock is behind the exchange's, at least, in milliseconds; below 0 if it
 * is ahead. The exchange read its clock somewhere between request and answer, and nobody knows
 * where: a slow answer, or a busy machine that has to load the client first, proves no difference.
 */
export async function measureSkew(
  source: Pick<MarketSource, 'timeMs'>,
  now: () => Date,
): Promise<number> {
  const beforeMs = now().getTime()
  const theirsMs = await source.timeMs()
  const afterMs = now().getTime()
  if (theirsMs < beforeMs) return Math.round(theirsMs - beforeMs)
  return Math.round(Math.max(0, theirsMs - afterMs))
}
