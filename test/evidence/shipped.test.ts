import { pino } from 'pino'
import { expect, test } from 'vitest'
import { evidenceOfGuards } from '#core/evidence/evidence.ts'
import { KeptEvidence } from '#server/evidence/keep-evidence.ts'
import { showGuardEvidence } from '#server/evidence/show-evidence.ts'
import { readShippedEvidence, shippedFor } from '#server/evidence/shipped-evidence.ts'
import { readCandleFile } from '#server/market/candle-file.ts'
import { simulatedFeed } from '#server/market/feed-simulated.ts'
import type { Compute } from '#server/ports/compute.ts'
import { defaultEvidence, defaultGiven } from '../../scripts/evidence-text.ts'
import { lengthOf } from '../world/length.ts'

/** The figures of the evidence that comes with the product. */

const given = defaultGiven()
const shipped = readShippedEvidence()

test('evidence computed again from the candles has the same figures', () => {
  expect(defaultEvidence()).toEqual(shipped.evidence)
})

/** Following guards takes most of the time. */
const GUARDED = lengthOf<readonly string[] | undefined>({
  usual: ['trend-moderate'],
  full: undefined,
})

test('shipped evidence of guards equals a fresh computation', () => {
  const markets = given.files.map(({ file, pair }) => ({
    pair,
    series: readCandleFile({ file, pair, untilMs: Number.POSITIVE_INFINITY }),
  }))
  const computed = evidenceOfGuards(
    { ...given, markets },
    (strategy) => GUARDED?.includes(strategy) ?? true,
  )
  if (computed === undefined) throw new Error('no guards')
  const { strategies, ...common } = showGuardEvidence(computed)
  expect(shipped.guards).toMatchObject(common)
  for (const one of strategies) expect(shipped.guards.strategies).toContainEqual(one)
})

/** A compute port that fails if anything is computed. */
const refusing: Compute = {
  run: () => Promise.reject(new Error('nothing is computed here')),
  stop: async () => undefined,
}
const keeperOf = (changed: Partial<typeof given>) => {
  const { files, costs, holdFeeBps, yieldBps } = { ...given, ...changed }
  return new KeptEvidence({
    feed: simulatedFeed({ seed: 1 }),
    recorded: () => files,
    costs,
    holdFeeBps,
    yieldBps,
    now: () => new Date(),
    log: pino({ level: 'silent' }),
    compute: refusing,
  })
}

test('an installation with default costs has figures and guards at once', async () => {
  const keeper = keeperOf({})
  expect(keeper.now()).toMatchObject({
    state: 'figures',
    feedLabel: 'Recorded Binance prices',
    figures: shipped.evidence,
    source: expect.stringContaining('oraculo-de-bitcoin'),
  })
  expect(await keeper.ofGuards(1)).toMatchObject({
    state: 'figures',
    prices: 'Recorded Binance prices',
    ...shipped.guards,
  })
})

test.each<[string, Partial<typeof given>]>([
  ['another fee of the exchange', { costs: { ...given.costs, feeBps: given.costs.feeBps + 1 } }],
  ['another spread', { costs: { ...given.costs, halfSpreadBps: 0 } }],
  ['another slippage', { costs: { ...given.costs, slippageBps: 25 } }],
  ['another fee of a bot that holds', { holdFeeBps: 1_500 }],
  ['interest on idle cash', { yieldBps: 300 }],
  ['fewer candles', { files: given.files.slice(1) }],
  [
    'candles in another file of the pair',
    {
      files: given.files.map((file, which) => ({
        ...file,
        file: given.files[(which + 1) % given.files.length]?.file ?? '',
      })),
    },
  ],
  ['no candles', { files: [] }],
])('shipped evidence is not used with %s', async (_name, changed) => {
  expect(shippedFor({ ...given, ...changed })).toBeUndefined()
  expect((await keeperOf(changed).soon(60_000)).state).not.toBe('figures')
})
