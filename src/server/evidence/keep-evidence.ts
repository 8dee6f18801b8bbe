import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Evidence } from '#contract/evidence.ts'
import { EVIDENCE_COMPUTING } from '#core/evidence/target.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { Refusal } from '#core/refusal.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/fee.ts'
import { sentenceText } from '#words/sentence-text.ts'
import { msg, say, t } from '#words/words.ts'
import type { Compute, RecordedFile } from '#server/ports/compute.ts'
import type { EvidenceKeeper } from '#server/ports/evidence.ts'
import type { Feed, LiveMarket } from '#server/ports/feed.ts'
import { firstOf } from '#server/kernel/promises.ts'
import { cacheBotEvidence } from './cache-bot-evidence.ts'
import { computeEvidence, computeGuards, type Computed } from './compute-evidence.ts'
import { evidenceBundles } from './evidence-bundles.ts'
import { EVIDENCE_FAILED, keepGuards } from './keep-guards.ts'
import { shippedFor, type EvidenceGiven } from './shipped-evidence.ts'

const DISCLAIMER = msg(
  'Hypothetical: these figures come from replaying the rules over past prices. No money was traded. The rules were chosen by people who knew these prices, coins that failed are not among them, and real orders can fill worse. Past performance does not tell the future. You can lose money.',
)

const SETTLED_MS = 5_000

/**
 * A request waits this long for evidence that is being computed: less than the server's limit for a
 * response.
 */
export const PATIENCE_MS = 8_000

type Kept = {
  feed: Feed
  recorded: () => readonly RecordedFile[]
  costs: TradingCosts
  holdFeeBps: number
  yieldBps?: number
  now: () => Date
  log: FastifyBaseLogger
  compute: Compute
}

export function keepEvidence({
  feed,
  recorded,
  costs,
  holdFeeBps,
  yieldBps,
  now,
  log,
  compute,
}: Kept): EvidenceKeeper {
  const ended = new AbortController()
  let kept: Computed | 'failed' | undefined
  let begunFor: number | undefined
  const filesOf = lookOnce(recorded, log)
  const shipped = takeOnce(() =>
    shippedEvidence(
      { files: filesOf(), costs, feeBps: PERFORMANCE_FEE_BPS, holdFeeBps, yieldBps: yieldBps ?? 0 },
      log,
    ),
  )
  const known = () => kept ?? shipped()
  let computing: Promise<void> = Promise.resolve()
  const guardsOf = keepGuards({
    log,
    signal: ended.signal,
    compute: (computed) => computeGuards(asked(), computed),
  })
  const figuresOfBot = cacheBotEvidence({ feed, costs, holdFeeBps, yieldBps, compute })
  const bundleOf = evidenceBundles({ feed, costs, holdFeeBps, yieldBps, compute })
  const asked = () => ({
    feed,
    recorded: filesOf,
    shipped,
    costs,
    holdFeeBps,
    yieldBps,
    untilMs: begunFor ?? 0,
    compute,
    signal: ended.signal,
  })
  const begin = () => {
    const untilMs = endOfHistory(feed, now())
    if (begunFor === untilMs || ended.signal.aborted) return
    begunFor = untilMs
    const history = feed.live ? settled(feed.live, ended.signal) : Promise.resolve()
    computing = history
      .then(() => computeEvidence(asked()))
      .then(
        (computed) => void (kept = computed),
        (error: unknown) => {
          kept = ended.signal.aborted ? kept : (shipped() ?? 'failed')
          if (!ended.signal.aborted) log.error(error, 'the evidence could not be computed')
        },
      )
  }

  const show = (): Evidence => {
    const market = sentenceText(feed.label)
    const common = { feedLabel: market, disclaimer: say(DISCLAIMER) }
    if (feed.kind === 'simulated' && filesOf().length === 0)
      return { state: 'none', sentence: t('{market}: no evidence', { market }), ...common }
    begin()
    return shownOf(known(), { feed, common })
  }

  const soon = async (withinMs: number): Promise<Evidence> => {
    if (show().state === 'computing') await firstOf(computing, withinMs)
    return show()
  }

  return {
    now: show,
    soon,
    ofGuards: async (withinMs) => guardsOf(await soon(withinMs), { kept: known(), withinMs }),
    ofBot: async ({ strategy, pairs }, whose) => {
      const evidence = await soon(PATIENCE_MS)
      if (evidence.state !== 'figures')
        return { state: evidence.state, sentence: evidence.sentence }
      const figures = await figuresOfBot({
        strategy,
        pairs,
        files: usedFiles(known()),
        untilMs: begunFor ?? 0,
        hash: evidence.figures.dataHash,
        ...whose,
      })
      if (figures === null)
        return { state: 'none', sentence: t('There are too few recorded prices of these coins.') }
      return {
        state: 'figures',
        ...figures,
        prices: evidence.note === null ? null : evidence.feedLabel,
        missing: pairs.filter((pair) => !figures.pairs.includes(pair)),
      }
    },
    bundle: async (wanted, whose) => {
      const evidence = await soon(PATIENCE_MS)
      if (evidence.state === 'computing') throw new Refusal('temporarily-unavailable')
      return evidence.state === 'figures'
        ? bundleOf({
            ...wanted,
            ...whose,
            files: usedFiles(known()),
            untilMs: begunFor ?? 0,
            hash: evidence.figures.dataHash,
          })
        : null
    },
    stop: () => ended.abort(),
  }
}

type Shown = { feed: Feed; common: { feedLabel: string; disclaimer: string } }

/** `found`: undefined while it is computed. */
function shownOf(found: Computed | 'failed' | undefined, { feed, common }: Shown): Evidence {
  const market = common.feedLabel
  if (found === undefined)
    return { state: 'computing', sentence: say(EVIDENCE_COMPUTING), ...common }
  if (found === 'failed') return { state: 'none', sentence: say(EVIDENCE_FAILED), ...common }
  if (found.figures !== null && found.files.length > 0)
    return { state: 'figures', figures: found.figures, ...common, ...originOf(found.files, market) }
  if (found.figures !== null)
    return { state: 'figures', figures: found.figures, note: null, source: null, ...common }
  return {
    state: 'none',
    sentence: t('{market}: too short for evidence', {
      market: feed.kind === 'live' ? t('Live prices') : market,
    }),
    ...common,
  }
}

/**
 * The evidence of an ongoing market is computed again once a day; recorded candles stay as they
 * are.
 */
function endOfHistory({ kind, endMs }: Feed, now: Date): number {
  return kind === 'simulated' ? 0 : (endMs ?? Math.floor(now.getTime() / DAY_MS) * DAY_MS)
}

const usedFiles = (kept: Computed | 'failed' | undefined): readonly RecordedFile[] =>
  kept === undefined || kept === 'failed' ? [] : kept.files

/** Figures of other prices than those that bots trade at here say so, wherever they are shown. */
function originOf(
  files: readonly RecordedFile[],
  market: string,
): { feedLabel: string; note: string; source: string } {
  const exchange = [...new Set(files.map((file) => file.exchange))].join(', ')
  const source = [
    ...new Set(
      files.map((file) => (file.licence === '' ? file.source : `${file.source} (${file.licence})`)),
    ),
  ].join('; ')
  return {
    feedLabel: t('Recorded {exchange} prices', { exchange }),
    note: t(
      'Computed from recorded {exchange} prices, not from the market that bots trade on here: {market}.',
      { exchange, market },
    ),
    source,
  }
}

/** Looked for once; a file that cannot be used costs the figures, not the page. */
function lookOnce(
  recorded: () => readonly RecordedFile[],
  log: FastifyBaseLogger,
): () => readonly RecordedFile[] {
  let files: readonly RecordedFile[] | undefined
  return () => {
    try {
      files ??= recorded()
    } catch (error) {
      log.error(error, 'the recorded candles cannot be used')
      files = []
    }
    return files
  }
}

/**
 * The evidence of the recorded candles as it came with the product, if nothing that it follows from
 * differs here.
 */
function shippedEvidence(given: EvidenceGiven, log: FastifyBaseLogger): Computed | undefined {
  try {
    const shipped = shippedFor(given)
    return shipped && { figures: shipped.evidence, guards: shipped.guards, files: given.files }
  } catch (error) {
    log.error(error, 'the evidence that comes with the product cannot be read: it is computed')
    return undefined
  }
}

function takeOnce<Value>(take: () => Value): () => Value {
  let taken: { value: Value } | undefined
  return () => (taken ??= { value: take() }).value
}

/**
 * A live market's history arrives page by page, about one per second: it is complete once no candle
 * arrived for a while.
 */
async function settled(live: LiveMarket, signal: AbortSignal): Promise<void> {
  let known = -1
  while (!signal.aborted && (known <= 0 || known !== live.candleCount())) {
    known = live.candleCount()
    await delay(SETTLED_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
