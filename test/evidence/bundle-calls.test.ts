import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { STRATEGY_KEYS, type StrategyKey } from '#core/strategy/strategy-key.ts'
import { required } from '#core/assert.ts'
import { recordedFiles } from '#server/market/recorded-candles.ts'
import { parseBundle, verifyBundle } from '#server/ops/verify-bundle.ts'
import { lengthOf } from '../world/length.ts'
import { createWorld, type TestUser, type World } from '../world/world.ts'

/**
 * The proofs that screens link to, as the server answers them. Three recorded pairs, so that the
 * evidence takes seconds.
 */

const VERIFIED = lengthOf<readonly StrategyKey[]>({
  usual: ['trend-moderate', 'hold'],
  full: STRATEGY_KEYS,
})

let world: World
let ada: TestUser

beforeAll(async () => {
  world = await createWorld({
    context: { recorded: () => recordedFiles('/nonexistent').slice(0, 3) },
  })
  ada = await world.user('ada')
  await world.context.evidence.soon(110_000)
})
afterAll(() => world.close())

/** Downloads the proof at this address; retries as the answer says while it is being computed. */
async function fileOf(url: string): Promise<string> {
  for (;;) {
    const { statusCode, body } = await world.app.inject({ url, headers: { cookie: ada.cookie } })
    if (statusCode !== 503) return body
  }
}

test('each strategy of the evidence page has a proof of its figures that verifies', async () => {
  const evidence = await world.stranger().call('getEvidence')
  if (evidence.state !== 'figures') throw new Error(evidence.sentence)
  for (const strategy of STRATEGY_KEYS) {
    const bundle = parseBundle(
      await fileOf(`${routes.getEvidenceBundle.path}?strategy=${strategy}`),
    )
    const level = evidence.figures.levels.find(({ riskLevel }) => strategy === `trend-${riskLevel}`)
    const { median, worst, best, lower, upper, losing, losingPercent, deepestFall } =
      level ??
      required(
        evidence.figures.others.find((other) => other.strategy === strategy),
        strategy,
      )
    expect(bundle.result).toMatchObject({
      kind: 'windows',
      figures: {
        median,
        worst,
        best,
        lower,
        upper,
        losing,
        losingPercent,
        deepestFall,
        windows: evidence.figures.windows,
        ...(level && { reached: level.reached }),
      },
    })
    expect(bundle.engine.version).toBe(evidence.figures.engineVersion)
    if (VERIFIED.includes(strategy))
      expect(verifyBundle(bundle, 'data/candles')).not.toHaveProperty('difference')
  }
})

test('a proof has the same bytes each time, and nothing about a person', async () => {
  const urls = [
    `${routes.getEvidenceBundle.path}?strategy=trend-moderate`,
    `${routes.getBotBundle.path}?strategy=trend-aggressive&pairs=SOL/USDT`,
  ]
  for (const url of urls) {
    const [first, second] = [await fileOf(url), await fileOf(url)]
    expect(first).toBe(second)
    expect(first).not.toContain(ada.id)
    expect(first).not.toContain('ada')
    expect(parseBundle(first)).toEqual(JSON.parse(first))
  }
})

test("a bot's own pairs and level have a proof with the figures shown in the form", async () => {
  const bot = { riskLevel: 'conservative', tradingPairs: ['SOL/USDT', 'BTC/USDT'] } as const
  const shown = await ada.call('runBotEvidence', {
    body: { ...bot, tradingPairs: [...bot.tradingPairs] },
  })
  const bundle = parseBundle(
    await fileOf(
      `${routes.getBotBundle.path}?strategy=trend-conservative&pairs=${bot.tradingPairs.join()}`,
    ),
  )
  if (shown.state !== 'figures') throw new Error(shown.sentence)
  const { median, worst, losingPercent, deepestFall, pairs } = shown
  expect(bundle.result.figures).toMatchObject({ median, worst, losingPercent, deepestFall })
  expect(bundle.configuration.pairs).toEqual(pairs)
})

test('a backtest has a proof with its result and trades, even after more hours', async () => {
  const shown = await ada.call('runBacktest', {
    body: {
      riskLevel: 'aggressive',
      tradingPairs: ['ETH/USDT', 'BTC/USDT'],
      investmentAmount: '250.50',
      days: 365,
    },
  })
  await world.hours(5)
  const query = {
    strategy: 'trend-aggressive',
    pairs: 'ETH/USDT,BTC/USDT',
    amount: '250.50',
    days: '365',
    until: shown.to,
  } as const
  const bundle = parseBundle(
    await fileOf(`${routes.getBacktestBundle.path}?${new URLSearchParams(query)}`),
  )
  const {
    netResult,
    returnPercent,
    venueFees,
    platformFees,
    maxDrawdown,
    sharpe,
    buyAndHoldResult,
    tradeCount,
  } = shown
  expect(bundle.result.figures).toMatchObject({
    netResult,
    returnPercent,
    venueFees,
    platformFees,
    maxDrawdown,
    sharpe,
    buyAndHoldResult,
    tradeCount,
  })
  expect(bundle.result.kind === 'backtest' && bundle.result.trades.length).toBe(tradeCount)
  expect(verifyBundle(bundle, 'data/candles')).not.toHaveProperty('difference')
})

test('coins without recorded prices have no proof', async () => {
  expect(
    (await ada.ask('getBotBundle', { query: { strategy: 'hold', pairs: 'LTC/USDT' } })).status,
  ).toBe(404)
})
