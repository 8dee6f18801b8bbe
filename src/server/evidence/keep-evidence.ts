import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Evidence, EvidenceFigures } from '#contract/evidence.ts'
import { EVIDENCE_COMPUTING } from '#core/evidence/target.ts'
import { DAY_MS } from '#core/market/candle.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { inWords } from '#words/in-words.ts'
import { msg, say, t } from '#words/words.ts'
import type { Compute } from '#server/ports/compute.ts'
import type { EvidenceKeeper } from '#server/ports/evidence.ts'
import type { Feed, LiveMarket } from '#server/ports/feed.ts'
import { computeEvidence } from './compute-evidence.ts'

const DISCLAIMER = msg('Hypothetical: these figures come from replaying the rules over past prices. No money was traded. The rules were chosen by people who knew these prices, coins that failed are not among them, and real orders can fill worse. Past performance does not tell the future. You can lose money.')

const SETTLED_MS = 5_000

type Kept = { feed: Feed; costs: TradingCosts; now: () => Date; log: FastifyBaseLogger; compute: Compute }

export function keepEvidence({ feed, costs, now, log, compute }: Kept): EvidenceKeeper {
  const ended = new AbortController()
  let kept: { figures: EvidenceFigures | null } | 'failed' | undefined
  let begunFor: number | undefined
  let computing: Promise<void> = Promise.resolve()

  const begin = () => {
    // The evidence of an ongoing market is computed again once a day.
    const untilMs = feed.endMs ?? Math.floor(now().getTime() / DAY_MS) * DAY_MS
    if (begunFor === untilMs || ended.signal.aborted) return
    begunFor = untilMs
    const history = feed.live ? settled(feed.live, ended.signal) : Promise.resolve()
    computing = history.then(() => computeEvidence({ feed, costs, untilMs, compute, signal: ended.signal })).then(
      (figures) => void (kept = { figures }),
      (error: unknown) => {
        if (ended.signal.aborted) return
        kept = 'failed'
        log.error(error, 'the evidence could not be computed')
      },
    )
  }

  const show = (): Evidence => {
    const market = inWords(feed.label)
    const common = { feedLabel: market, disclaimer: say(DISCLAIMER) }
    if (feed.kind === 'simulated') return { state: 'none', sentence: t('{market}: no evidence', { market }), ...common }
    begin()
    if (kept === undefined) return { state: 'computing', sentence: say(EVIDENCE_COMPUTING), ...common }
    if (kept === 'failed') return { state: 'none', sentence: t('The evidence could not be computed.'), ...common }
    if (kept.figures === null) return { state: 'none', sentence: t('{market}: too short for evidence', { market: feed.kind === 'live' ? t('Live prices') : market }), ...common }
    return { state: 'figures', figures: kept.figures, ...common }
  }

  return {
    now: show,
    soon: async (withinMs) => {
      if (show().state === 'computing') await firstOf(computing, withinMs)
      return show()
    },
    stop: () => ended.abort(),
  }
}

/** A live market's history arrives page by page, about one per second: it is complete once no candle arrived for a while. */
async function settled(live: LiveMarket, signal: AbortSignal): Promise<void> {
  let known = -1
  while (!signal.aborted && (known <= 0 || known !== live.candleCount())) {
    known = live.candleCount()
    await delay(SETTLED_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

async function firstOf(done: Promise<void>, withinMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, withinMs)
  })
  await Promise.race([done, late])
  clearTimeout(timer)
}
