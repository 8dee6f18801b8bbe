import type { z } from 'zod'
import { Bundle, type BundleCandles } from '#contract/bundle.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { makeBundle, type BundleInput, simulatedOrigin } from '#server/evidence/bundle.ts'
import { candlesBetween } from '#server/market/candle-cache.ts'
import { originIn, readCandles } from '#server/market/candle-file.ts'
import { StartupError } from '#server/kernel/errors.ts'

export type Difference = { field: string; stated: string; computed: string }

export type Verdict = { agrees: string[]; difference?: Difference; hint?: string }

/** Longer values are truncated in messages. */
const MOST_SHOWN = 200

export function parseBundle(text: string): Bundle {
  return checked(parsedAs(Bundle, parsedJson(text)))
}

/** Throws `StartupError` for another shape. */
export function parsedAs<Shape>(schema: z.ZodType<Shape>, json: unknown): Shape {
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new StartupError(
    `The file is not a proof of this product: ${issue?.path.join('.') || 'the whole'}: ` +
      `${shown(issue?.message ?? 'not readable')}.`,
  )
}

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new StartupError('The file is not readable as JSON: it is cut off or damaged.', {
      cause: error,
    })
  }
}

function checked(bundle: Bundle): Bundle {
  const { candles, configuration, result } = bundle
  const pairs = candles.map(({ pair }) => pair)
  if (new Set(pairs).size < pairs.length)
    throw new StartupError(
      'The file is not a proof of this product: candles: a pair stands there twice.',
    )
  if (pairs.join() !== configuration.pairs.join())
    throw new StartupError(
      'The file is not a proof of this product: configuration.pairs: not the pairs of the candles.',
    )
  if (candles.some(({ exchange, seed }) => exchange === 'none' && seed === null))
    throw new StartupError(
      'The file is not a proof of this product: candles.seed: a simulated market is named by ' +
        'its seed.',
    )
  if (result.kind === 'backtest' && result.from >= result.to)
    throw new StartupError(
      'The file is not a proof of this product: result.from: not before result.to.',
    )
  return bundle
}

/** Recomputes everything from the candles in `folder`, or from the seed of a simulated market. */
export function verifyBundle(bundle: Bundle, folder: string): Verdict {
  const markets = bundle.candles.map((candles) => ({
    pair: candles.pair,
    series: seriesOf(candles, folder),
    origin: originOf(candles),
  }))
  const computed = makeBundle({ ...inputOf(bundle), markets })
  if (computed === undefined)
    throw new StartupError(
      'The candles that the file names are too few for a window of twelve months.',
    )
  const agrees: string[] = []
  for (const part of PARTS) {
    const difference = firstDifference(part.name, {
      stated: part.of(bundle),
      computed: part.of(computed),
    })
    if (difference)
      return {
        agrees,
        difference,
        ...(bundle.engine.sha256 !== computed.engine.sha256 && {
          hint: otherEngine(bundle, computed),
        }),
      }
    agrees.push(part.sentence(bundle))
  }
  const claims = new Set(
    bundle.candles
      .filter((candles) => candles.seed === null && !isSourceKnown(candles, folder))
      .map(({ source }) => shown(JSON.stringify(source))),
  )
  for (const claim of claims)
    agrees.push(`Not checked: that candles are from ${claim}, as the file says.`)
  return { agrees }
}

type Part = { name: string; of: (bundle: Bundle) => unknown; sentence: (bundle: Bundle) => string }

/** Parts of the bundle, ordered so that a difference explains those after it. */
const PARTS: readonly Part[] = [
  {
    name: 'candles',
    of: ({ candles }) => candles,
    sentence: ({ candles }) => candles.map(candlesSentence).join('\n'),
  },
  {
    name: 'configuration',
    of: ({ configuration }) => configuration,
    sentence: ({ configuration }) =>
      `The configuration agrees: ${configuration.strategy}, its setting, costs and fee.`,
  },
  {
    name: 'result',
    of: ({ result }) => ({ ...result, windows: [], trades: [] }),
    sentence: ({ result }) =>
      `${Object.keys(result.figures).length} figures agree, from ${result.from} to ${result.to}.`,
  },
  {
    name: 'result',
    of: ({ result }) => result,
    sentence: ({ result }) =>
      result.kind === 'windows'
        ? `${result.windows.length} windows agree, each with its value at the start and at the end.`
        : `${result.trades.length} trades agree.`,
  },
  {
    name: 'bundle',
    of: ({ format, hypothetical, note, check }) => ({ format, hypothetical, note, check }),
    sentence: () => 'It says that it is hypothetical.',
  },
  {
    name: 'engine',
    of: ({ engine }) => engine,
    sentence: ({ engine }) => `The rules agree: engine ${engine.version}.`,
  },
]

function candlesSentence({ pair, count, first, last, seed }: BundleCandles): string {
  return (
    `The ${count} candles of ${pair} agree, ${first.slice(0, 10)} to ` +
    `${last.slice(0, 10)}${seed === null ? '' : ', of a simulated market'}.`
  )
}

function otherEngine({ engine }: Bundle, { engine: here }: Bundle): string {
  return (
    `The file was made by engine ${engine.version}, and this is ${here.version}: other rules ` +
    'give other results.'
  )
}

function inputOf({
  configuration: { strategy, invested, costsBps, platformFeeBps, cashYieldBps },
  result,
}: Bundle): Omit<BundleInput, 'markets'> {
  const costs = {
    feeBps: costsBps.fee,
    halfSpreadBps: costsBps.halfSpread,
    slippageBps: costsBps.slippage,
  }
  const task =
    result.kind === 'windows'
      ? { kind: result.kind }
      : {
          kind: result.kind,
          invested: decimalToUnits(invested),
          fromMs: Date.parse(result.from),
          toMs: Date.parse(result.to),
        }
  return { strategy, costs, feeBps: platformFeeBps, yieldBps: cashYieldBps, task }
}

/**
 * The origin of the candles. Needed because the hash does not cover it; on a simulated market it is
 * the seed.
 */
function originOf({
  exchange,
  source,
  licence,
  seed,
}: BundleCandles): BundleInput['markets'][number]['origin'] {
  return seed === null ? { exchange, source, licence, seed } : simulatedOrigin(seed)
}

function isSourceKnown(
  { pair, exchange, source, licence }: BundleCandles,
  folder: string,
): boolean {
  const origin = originIn(folder, pair)
  return (
    origin !== undefined &&
    origin.exchange === exchange &&
    origin.source === source &&
    origin.licence === licence
  )
}

/** The candles of the stated hours. The folder may contain more. */
function seriesOf({ pair, count, first, last, seed }: BundleCandles, folder: string): CandleSeries {
  const [fromMs, lastMs] = [Date.parse(first), Date.parse(last)]
  if (seed !== null) return simulatedCandles({ seed, pair, fromMs, count })
  const series = candlesBetween(recordedIn(folder, pair), { fromMs, toMs: lastMs + HOUR_MS })
  if (series.length === 0)
    throw new StartupError(
      `The candles of ${pair} in ${folder} do not reach from ${first} to ${last}. Name a ` +
        'folder that holds them: npm run verify FILE FOLDER.',
    )
  return series
}

function recordedIn(folder: string, pair: Pair): CandleSeries {
  const series = readCandles(folder, { pair, untilMs: Number.POSITIVE_INFINITY })
  if (series === undefined)
    throw new StartupError(
      `There are no candles of ${pair} in ${folder}. Name a folder that holds them: npm run ` +
        'verify FILE FOLDER.',
    )
  return series
}

/** The first difference, in the order of the computed value. Both values match the same schema. */
export function firstDifference(
  field: string,
  { stated, computed }: { stated: unknown; computed: unknown },
): Difference | undefined {
  if (!isObject(stated) || !isObject(computed))
    return Object.is(stated, computed)
      ? undefined
      : { field, stated: asText(stated), computed: asText(computed) }
  for (const name of new Set([...Object.keys(computed), ...Object.keys(stated)])) {
    const difference = firstDifference(`${field}.${name}`, {
      stated: stated[name],
      computed: computed[name],
    })
    if (difference) return difference
  }
  return undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function asText(value: unknown): string {
  return value === undefined ? 'nothing' : shown(JSON.stringify(value))
}

/** The text on one line without control characters, because a file may contain anything. */
function shown(text: string): string {
  return text.slice(0, MOST_SHOWN).replaceAll(/[\p{Cc}\p{Cf}]/gu, '?')
}
