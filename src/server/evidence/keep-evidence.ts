import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Bundle } from '#contract/bundle.ts'
import type {
  BotEvidence,
  BotEvidenceFigures,
  Evidence,
  EvidenceFigures,
  GuardEvidence,
} from '#contract/evidence.ts'
import { EVIDENCE_COMPUTING } from '#core/evidence/target.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { Refusal } from '#core/refusal.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import { sentenceText } from '#words/sentence-text.ts'
import { msg, say, t } from '#words/words.ts'
import type { CandleFile, JobOwner } from '#server/ports/compute.ts'
import type { EvidenceBot, EvidenceKeeper, BundleRequest } from '#server/ports/evidence.ts'
import type { Feed, LiveMarket } from '#server/ports/feed.ts'
import { firstOf } from '#server/kernel/promises.ts'
import { cacheBotEvidence, type Computing } from './cache-bot-evidence.ts'
import { computeEvidence, computeGuards, type Computed } from './compute-evidence.ts'
import { evidenceBundles } from './evidence-bundles.ts'
import { EVIDENCE_FAILED, keepGuards } from './keep-guards.ts'
import { shippedFor, type EvidenceGiven } from './shipped-evidence.ts'

const DISCLAIMER = msg(
  'Hypothetical: these figures come from replaying the rules over past prices. ' +
    'No money was traded. The rules were chosen by people who knew these prices. ' +
    'Coins that failed are not included, and real orders can fill worse. Past ' +
    'performance does not predict the future. You can lose money.',
)

const SETTLED_MS = 5_000

/** Longest wait of a request for the computation: less than the server's limit for a response. */
export const PATIENCE_MS = 8_000

type Kept = Computing & {
  recorded: () => readonly CandleFile[]
  now: () => Date
  log: FastifyBaseLogger
}

export class KeptEvidence implements EvidenceKeeper {
  readonly #given: Kept
  readonly #ended = new AbortController()
  readonly #files: () => readonly CandleFile[]
  readonly #shipped: () => Computed | undefined
  readonly #guardsOf: ReturnType<typeof keepGuards>
  readonly #figuresOfBot: ReturnType<typeof cacheBotEvidence>
  readonly #bundleOf: ReturnType<typeof evidenceBundles>
  #computed: Computed | 'failed' | undefined
  #computing: Promise<void> = Promise.resolve()
  /** The end of the last computed history. */
  #untilMs: number | undefined

  constructor(given: Kept) {
    const { recorded, costs, holdFeeBps, yieldBps = 0, log } = given
    this.#given = given
    this.#files = lookOnce(recorded, log)
    this.#shipped = takeOnce(() =>
      shippedEvidence(
        { files: this.#files(), costs, feeBps: PERFORMANCE_FEE_BPS, holdFeeBps, yieldBps },
        log,
      ),
    )
    this.#guardsOf = keepGuards({
      log,
      signal: this.#ended.signal,
      compute: (computed) => computeGuards(this.#wanted(), computed),
    })
    this.#figuresOfBot = cacheBotEvidence(given)
    this.#bundleOf = evidenceBundles(given)
  }

  now(): Evidence {
    const { feed } = this.#given
    const market = sentenceText(feed.label)
    const common = { feedLabel: market, disclaimer: say(DISCLAIMER) }
    if (feed.kind === 'simulated' && this.#files().length === 0)
      return { state: 'none', sentence: t('{market}: no evidence', { market }), ...common }
    this.#begin()
    return shownOf(this.#known(), { feed, common })
  }

  async soon(withinMs: number): Promise<Evidence> {
    if (this.now().state === 'computing') await firstOf(this.#computing, withinMs)
    return this.now()
  }

  async ofGuards(withinMs: number): Promise<GuardEvidence> {
    return this.#guardsOf(await this.soon(withinMs), { kept: this.#known(), withinMs })
  }

  async ofBot({ strategy, pairs }: EvidenceBot, owner: JobOwner): Promise<BotEvidence> {
    const evidence = await this.soon(PATIENCE_MS)
    if (evidence.state !== 'figures') return { state: evidence.state, sentence: evidence.sentence }
    const hash = evidence.figures.dataHash
    const figures =
      ofAllCoins(evidence.figures, { strategy, pairs }) ??
      (await this.#figuresOfBot({ strategy, pairs, ...this.#basis(hash), ...owner }))
    if (figures === null)
      return { state: 'none', sentence: t('There are too few recorded prices of these coins.') }
    return {
      state: 'figures',
      ...figures,
      prices: evidence.note === null ? null : evidence.feedLabel,
      missing: pairs.filter((pair) => !figures.pairs.includes(pair)),
    }
  }

  async bundle(wanted: BundleRequest, owner: JobOwner): Promise<Bundle | null> {
    const evidence = await this.soon(PATIENCE_MS)
    if (evidence.state === 'computing') throw new Refusal('temporarily-unavailable')
    if (evidence.state !== 'figures') return null
    return this.#bundleOf({ ...wanted, ...owner, ...this.#basis(evidence.figures.dataHash) })
  }

  stop(): void {
    this.#ended.abort()
  }

  #known(): Computed | 'failed' | undefined {
    return this.#computed ?? this.#shipped()
  }

  #basis(hash: string) {
    return { files: usedFiles(this.#known()), untilMs: this.#untilMs ?? 0, hash }
  }

  #wanted() {
    const { signal } = this.#ended
    const [recorded, shipped, untilMs] = [this.#files, this.#shipped, this.#untilMs ?? 0]
    return { ...this.#given, recorded, shipped, untilMs, signal }
  }

  #begin(): void {
    const { feed, now, log } = this.#given
    const { signal } = this.#ended
    const untilMs = endOfHistory(feed, now())
    if (this.#untilMs === untilMs || signal.aborted) return
    this.#untilMs = untilMs
    const history = feed.live ? settled(feed.live, signal) : Promise.resolve()
    this.#computing = history
      .then(() => computeEvidence(this.#wanted()))
      .then(
        (computed) => void (this.#computed = computed),
        (error: unknown) => {
          if (signal.aborted) return
          this.#computed = this.#shipped() ?? 'failed'
          log.error(error, 'the evidence could not be computed')
        },
      )
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

/** An ongoing market's evidence is recomputed once a day. */
/**
 * A bot on all recorded coins has the evidence of its strategy, so nothing is computed for it.
 * Undefined for other bots.
 */
function ofAllCoins(
  { coverage, levels, others, windows, from, to, pairs }: EvidenceFigures,
  bot: EvidenceBot,
): BotEvidenceFigures | undefined {
  if (!coverage.every(({ pair }) => bot.pairs.includes(pair))) return undefined
  const trends = levels.map((level) => ({ ...level, strategy: `trend-${level.riskLevel}` }))
  const found = [...trends, ...others].find(({ strategy }) => strategy === bot.strategy)
  if (!found) return undefined
  const { median, worst, best, losingPercent, deepestFall, beatsCash, monthly } = found
  const own = { median, worst, best, losingPercent, deepestFall, beatsCash, monthly }
  return { hypothetical: true, windows, from, to, pairs, ...own }
}

function endOfHistory({ kind, endMs }: Feed, now: Date): number {
  return kind === 'simulated' ? 0 : (endMs ?? Math.floor(now.getTime() / DAY_MS) * DAY_MS)
}

const usedFiles = (kept: Computed | 'failed' | undefined): readonly CandleFile[] =>
  kept === undefined || kept === 'failed' ? [] : kept.files

/** Marks figures that were computed from prices of another market. */
function originOf(
  files: readonly CandleFile[],
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
      'From recorded {exchange} prices, not from the market that bots trade on here: {market}.',
      { exchange, market },
    ),
    source,
  }
}

/** If a candle file is unusable, the page is shown without figures. */
function lookOnce(
  recorded: () => readonly CandleFile[],
  log: FastifyBaseLogger,
): () => readonly CandleFile[] {
  let files: readonly CandleFile[] | undefined
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

/** Undefined unless it was made from the same inputs as this installation has. */
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
 * A live market's history arrives page by page: it is complete once no candle arrived for a while.
 */
async function settled(live: LiveMarket, signal: AbortSignal): Promise<void> {
  let known = -1
  while (!signal.aborted && (known <= 0 || known !== live.candleCount())) {
    known = live.candleCount()
    await delay(SETTLED_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
