import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { Bundle } from '#contract/bundle.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import { STRATEGY_KEYS, type StrategyKey } from '#core/strategy/strategy-key.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import { makeBundle, simulatedOrigin } from '#server/evidence/bundle.ts'
import { parseBundle, verifyBundle } from '#server/ops/verify-bundle.ts'
import { packCandleFile, readCandleFile } from '#server/market/candle-file.ts'
import { recordedFiles } from '#server/market/recorded-candles.ts'
import { StartupError } from '#server/kernel/errors.ts'
import { lengthOf } from '../world/length.ts'
import { pattern } from '../world/pattern.ts'

const folder = mkdtempSync(join(tmpdir(), 'verify-'))
afterAll(() => rmSync(folder, { recursive: true }))

const common = { costs: VENUE_COSTS.binance, feeBps: PERFORMANCE_FEE_BPS, yieldBps: 437 }
const recorded = recordedFiles('/nonexistent').map(({ file, pair, exchange, source, licence }) => ({
  pair,
  series: readCandleFile({ file, pair, untilMs: Number.POSITIVE_INFINITY }),
  origin: { exchange, source, licence, seed: null },
}))

/** A backtest on a small simulated market. */
function small(): Bundle {
  const fromMs = Date.UTC(2026, 0, 1)
  const series = simulatedCandles({ seed: 24, pair: 'SOL/USDT', fromMs, count: 140 * 24 })
  const bundle = makeBundle({
    ...common,
    strategy: 'trend-aggressive',
    markets: [{ pair: 'SOL/USDT', series, origin: simulatedOrigin(24) }],
    task: {
      kind: 'backtest',
      invested: 100_000_000_000n,
      fromMs: fromMs + 90 * DAY_MS,
      toMs: fromMs + 140 * DAY_MS,
    },
  })
  if (bundle === undefined) throw new Error('no bundle')
  return bundle
}

/** Runs the command as a person would, without npm. */
function verify(text: string, ...args: string[]) {
  const file = join(folder, 'proof.json')
  writeFileSync(file, text)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['src/server/ops/verify.ts', file, ...args],
    { encoding: 'utf8', env: { PATH: '' } },
  )
  return { status, stdout, stderr }
}

/** One level of each kind, because levels of a kind differ only in their parameters. */
const VERIFIED = lengthOf<readonly StrategyKey[]>({
  usual: ['trend-moderate', 'hold', 'balanced-moderate'],
  full: STRATEGY_KEYS,
})

test.each(VERIFIED)(
  'all windows of %s on the recorded candles verify; the same result has the same bytes',
  (strategy) => {
    const make = () =>
      makeBundle({ ...common, strategy, markets: recorded.slice(0, 2), task: { kind: 'windows' } })
    const bundle = make()
    if (bundle === undefined) throw new Error('no bundle')
    expect(JSON.stringify(bundle)).toBe(JSON.stringify(make() ?? bundle))
    const { status, stdout } = verify(JSON.stringify(bundle))
    expect(stdout).toContain('1380 windows agree')
    expect(stdout).toMatch(/All of it agrees, computed again in [\d.]+ s\.\n$/)
    expect(status).toBe(0)
  },
)

test('a backtest on a simulated market is verified from its seed, part by part', () => {
  const bundle = small()
  expect(bundle.result.kind === 'backtest' && bundle.result.trades.length).toBeGreaterThan(3)
  const { status, stdout } = verify(JSON.stringify(bundle))
  expect(status).toBe(0)
  expect(stdout.split('\n').slice(0, 5)).toEqual([
    'The 3360 candles of SOL/USDT agree, 2026-01-01 to 2026-05-20, of a simulated market.',
    'The configuration agrees: trend-aggressive, its setting, costs and fee.',
    '9 figures agree, from 2026-04-01T00:00:00.000Z to 2026-05-21T00:00:00.000Z.',
    `${bundle.result.kind === 'backtest' ? bundle.result.trades.length : 0} trades agree.`,
    'It says that it is hypothetical.',
  ])
})

test('candles that are not shipped are read from a folder', () => {
  const { candles, ...bundle } = small()
  const series = simulatedCandles({
    seed: 24,
    pair: 'SOL/USDT',
    fromMs: Date.UTC(2026, 0, 1),
    count: 141 * 24,
  })
  writeFileSync(
    join(folder, 'SOLUSDT.candles'),
    packCandleFile(series, { pair: 'SOL/USDT', exchange: 'none', source: 'a test', licence: '' }),
  )
  const followed = JSON.stringify({
    ...bundle,
    candles: candles.map((each) => ({
      ...each,
      seed: null,
      exchange: 'Elsewhere',
      source: 'another place',
    })),
  })
  const verified = verify(followed, folder)
  expect(verified).toMatchObject({ status: 0, stderr: '' })
  expect(verified.stdout).toContain(
    'Not checked: that candles are from "another place", as the file says.',
  )
  expect(verify(followed)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      pattern(
        /^The candles of SOL\/USDT in .* do not reach from .* /,
        /Name a folder that holds them: npm run verify FILE FOLDER\.\n$/,
      ),
    ) as string,
  })
  expect(verify(JSON.stringify(small()).replace('"seed":24', '"seed":null'), folder)).toMatchObject(
    {
      status: 1,
      stderr: expect.stringContaining('a simulated market is named by its seed') as string,
    },
  )
})

const hash = '0'.repeat(64)

test.each<[string, (bundle: Bundle) => Bundle, RegExp]>([
  [
    'a candle',
    (bundle) => ({ ...bundle, candles: bundle.candles.map((each) => ({ ...each, sha256: hash })) }),
    /^candles\.0\.sha256 differs: the file says "0{64}", computed is "[0-9a-f]{64}"\.\n$/,
  ],
  [
    'a seed',
    (bundle) => ({ ...bundle, candles: bundle.candles.map((each) => ({ ...each, seed: 25 })) }),
    /^candles\.0\.sha256 differs/,
  ],
  [
    'the setting',
    (bundle) => ({
      ...bundle,
      configuration: {
        ...bundle.configuration,
        preset: bundle.configuration.preset && { ...bundle.configuration.preset, bandBps: 1 },
      },
    }),
    /^configuration\.preset\.bandBps differs: the file says 1, computed is 1200\.\n$/,
  ],
  [
    'the costs',
    (bundle) => ({
      ...bundle,
      configuration: { ...bundle.configuration, costsBps: { fee: 0, halfSpread: 2, slippage: 5 } },
    }),
    /^result\.figures\.equity differs/,
  ],
  [
    'the return',
    (bundle) => withFigure(bundle, { returnPercent: '99.00' }),
    pattern(
      /^result\.figures\.returnPercent differs: /,
      /the file says "99\.00", computed is "-?\d+\.\d\d"\.\n$/,
    ),
  ],
  [
    'a trade',
    (bundle) =>
      withTrades(bundle, (trades) => trades.map((trade) => ({ ...trade, profit: '1.00000000' }))),
    pattern(
      /^result\.trades\.0\.profit differs: /,
      /the file says "1\.00000000", computed is "0\.00000000"\.\n$/,
    ),
  ],
  [
    'the number of trades',
    (bundle) => withTrades(bundle, (trades) => trades.slice(0, -1)),
    /^result\.trades\.\d+ differs: the file says nothing, computed is \{/,
  ],
  [
    'the note that it is hypothetical',
    (bundle) => ({ ...bundle, note: 'These gains are real.' }),
    /^bundle\.note differs/,
  ],
  [
    'the engine',
    (bundle) => ({ ...bundle, engine: { ...bundle.engine, sha256: hash } }),
    pattern(
      /^engine\.sha256 differs: .*\n/,
      /The file was made by engine .*, and this is .*: other rules give other results\.\n$/,
    ),
  ],
])(
  'a change of %s is detected: the first field that differs, and exit code 1',
  (_name, change, sentence) => {
    const { status, stderr } = verify(JSON.stringify(change(small())))
    expect(stderr).toMatch(sentence)
    expect(status).toBe(1)
  },
)

function withFigure(bundle: Bundle, figures: { returnPercent: string }): Bundle {
  return bundle.result.kind === 'backtest'
    ? { ...bundle, result: { ...bundle.result, figures: { ...bundle.result.figures, ...figures } } }
    : bundle
}

type Trades = Extract<Bundle['result'], { kind: 'backtest' }>['trades']

function withTrades(bundle: Bundle, change: (trades: Trades) => Trades): Bundle {
  return bundle.result.kind === 'backtest'
    ? { ...bundle, result: { ...bundle.result, trades: change(bundle.result.trades) } }
    : bundle
}

test.each([
  ['nothing', ''],
  ['half of it', '{"format":"bundle 1","hypothetical":true,"no'],
  ['another kind of file', '[1,2,3]'],
  ['null', 'null'],
  ['nesting without end', '['.repeat(200_000)],
  [
    'a key of the prototype',
    JSON.stringify(small()).replace('{', '{"__proto__":{"format":"bundle 1"},'),
  ],
  [
    'a constructor',
    JSON.stringify(small()).replace('"pairs":[', '"constructor":{"prototype":{}},"pairs":['),
  ],
  ['bytes that are no text', '\u0000\uFFFD\u0000'],
  [
    'a pair twice',
    JSON.stringify({ ...small(), candles: [...small().candles, ...small().candles] }),
  ],
  [
    'ten thousand candles too many',
    JSON.stringify(small()).replace('"count":3360', '"count":99999999999'),
  ],
])('a malformed file gets one sentence and exit code 1: %s', (_name, text) => {
  const { status, stdout, stderr } = verify(text)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^[^\n]{10,400}\.\n$/)
  expect(stderr).not.toMatch(/Error|could not be verified|undefined/)
  expect(status).toBe(1)
})

test('a missing file, a folder and an extra argument each print one sentence', () => {
  for (const args of [[join(folder, 'missing.json')], [folder], ['a', 'b', 'c']]) {
    const { status, stderr } = spawnSync(process.execPath, ['src/server/ops/verify.ts', ...args], {
      encoding: 'utf8',
    })
    expect(stderr).toMatch(/^[^\n]{10,200}\n$/)
    expect(status).toBe(1)
  }
})

test('without a file, the range models and their scores are computed again', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/server/ops/verify.ts'], {
    encoding: 'utf8',
    env: { PATH: '' },
  })
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^The range models of 54 months agree\.\nThe scores .* agree\.\nAll of it/)
  expect(status).toBe(0)
})

/**
 * The answer for any text: verified, a difference, or a sentence. Anything else is an error of
 * ours.
 */
function outcome(text: string): 'agrees' | 'differs' | 'refused' {
  try {
    return verifyBundle(parseBundle(text), folder).difference ? 'differs' : 'agrees'
  } catch (error) {
    if (error instanceof StartupError) return 'refused'
    throw error
  }
}

test('a damaged file is never verified and always reported in one sentence', () => {
  const whole = JSON.stringify(small())
  expect(outcome(whole)).toBe('agrees')
  fc.assert(
    fc.property(
      fc.nat(whole.length - 3),
      (length) => outcome(whole.slice(0, length)) === 'refused',
    ),
    { numRuns: 200 },
  )
  const paths = pathsOf(JSON.parse(whole), [])
  const changed = fc
    .tuple(
      fc.constantFrom(...paths),
      fc.oneof(
        fc.jsonValue(),
        fc.constantFrom('-0', '', '9'.repeat(40), -1, 1e308, 2 ** 53, null, [], {}),
      ),
    )
    .map(([path, value]) => {
      const copy: unknown = JSON.parse(whole)
      const before = put(copy, { path, value })
      return {
        text: JSON.stringify(copy),
        isSame: JSON.stringify(before) === JSON.stringify(value),
      }
    })
  fc.assert(
    fc.property(changed, ({ text, isSame }) => isSame || outcome(text) !== 'agrees'),
    { numRuns: 300 },
  )
})

function pathsOf(value: unknown, path: readonly string[]): string[][] {
  if (typeof value !== 'object' || value === null) return [[...path]]
  return Object.entries(value).flatMap(([name, inner]) => [
    [...path, name],
    ...pathsOf(inner, [...path, name]),
  ])
}

/** Replaces the value at `path` and returns the one before. */
function put(
  target: unknown,
  { path, value }: { path: readonly string[]; value: unknown },
): unknown {
  const [name = '', ...rest] = path
  const at = target as Record<string, unknown>
  if (rest.length > 0) return put(at[name], { path: rest, value })
  const before = at[name]
  at[name] = value
  return before
}
