import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { calls } from '#contract/calls.ts'
import { Settings } from '#server/settings/settings.ts'
import { isTest, readSources, ROOT } from '../tidy/source.ts'
import { pattern } from '../world/pattern.ts'

type Row = { value: string; file: string | undefined }

const rows: Row[] = readFileSync(join(ROOT, 'docs/limits.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, value, file] = /^\| [^|]*\| `([^`]+)` \| (?:`([^`]+)` )?\|$/.exec(line) ?? []
    return value === undefined ? [] : [{ value, file }]
  })

const defaults = Settings.parse({}) as Record<string, unknown>
const sources = readSources().filter(
  ({ path }) => /^src\/(core|contract|server)\//.test(path) && !isTest(path),
)

test("each limit in the list equals the code's", () => {
  expect(rows.length).toBeGreaterThan(60)
  const wrong = rows.filter(({ value, file }) => {
    const [name = '', setting] = value.split('=')
    return file === undefined
      ? String(defaults[name]) !== setting
      : !sources.some(({ path, text }) => path === file && inOneLine(text).includes(value))
  })
  expect(wrong).toEqual([])
})

/** A constant in the form of the list, with objects in one line. */
const inOneLine = (text: string): string =>
  text.replaceAll(/,?\s+/g, (gap) => gap.trim() + ' ').replaceAll(', }', ' }')

/** Settings with a number that limits nobody. */
const NO_LIMITS = [
  'PORT',
  'MARKET_SEED',
  'AI_SILENCE_MS',
  'TRADING_HALF_SPREAD_BPS',
  'HOLD_FEE_BPS',
  'CASH_YIELD_BPS',
  'PAYOUT_DELAY_MS',
]

test('each setting with a number is in the list', () => {
  const numbers = Object.entries(defaults)
    .filter(([, value]) => typeof value === 'number')
    .map(([name]) => name)
  expect(
    numbers.filter(
      (name) =>
        !NO_LIMITS.includes(name) && !rows.some(({ value }) => value.startsWith(`${name}=`)),
    ),
  ).toEqual([])
})

const listed = (path: string, text: string): boolean =>
  rows.some(({ value, file }) => file === path && (value.includes(text) || text.includes(value)))

test('each limit of attempts is in the list', () => {
  const counting = sources.filter(
    ({ path, text }) =>
      path !== 'src/server/security/throttle.ts' &&
      /\bthrottle\(/.test(text) &&
      text.includes("'#server/security/throttle.ts'"),
  )
  expect(counting.length).toBeGreaterThan(10)
  const byOwnName = counting
    .filter(({ path, text }) => !listed(path, '') && !/limit: config\.[A-Z_]+,/.test(text))
    .map(({ path }) => path)
  expect(byOwnName).toEqual([])
})

/** Where users and strangers meet limits. */
const PLACES = pattern(
  /^src\/core\/(auth|bots|wallets|withdrawals|deposits|notices)\/|^src\/server\//,
  /(auth|http|rights|wallets|withdrawals|deposits|notices|operators|console|help|compute|events)\//,
)
const NAME_OF_LIMIT = pattern(
  /(?:MOST|MAXIMUM|MAX|MINIMUM|LEAST|LONGEST|BODY)_\w+|\w*LIMITS?|WIDER/,
  /|\w+_(?:PER_HOUR|PER_MINUTE|AN_HOUR|SECONDS|HOURS|LIFETIME_MS|MINIMUM)/,
)
const LIMIT = new RegExp(
  `^(?:export )?const ((?:${NAME_OF_LIMIT.source})(?:: [^=]+)? = .*\\d.*)$`,
  'gm',
)

/**
 * Numbers with such a name that are no limits for users: units of time, sizes of batches, and time
 * limits for other services.
 */
const INTERNAL = [
  'DAY_SECONDS = 86_400',
  'HOUR_SECONDS = 3_600',
  'LEAST: Units',
  'MOST_STEPS = 60',
  'MOST_DAYS = 3',
  'LONGEST_RETRY_MS',
  'MOST_DISPUTES = 100',
  'MOST_EVENTS =',
  'MOST_INTENTS = 500',
  'MOST_USERS = 100',
  'MOST_POOLS = 50',
  'MOST_LETTERS = 60',
  'MOST_LETTERS = 100',
  'MOST_REMEMBERED = 10_000',
  'MOST_SHOWN = 200',
  'MOST_LOOKED_THROUGH = 20_000',
  'LONGEST_WAIT_MS = 86_400_000',
  'STREAM_WAIT_SECONDS = 60',
  'RETRY_SECONDS = 5',
  'PRICES_EVERY',
  'FIRST_RETRY',
]

test('each limit of the code that users and strangers meet is in the list', () => {
  const found = sources
    .filter(({ path }) => PLACES.test(path))
    .flatMap(({ path, text }) => [...text.matchAll(LIMIT)].map(([, line = '']) => ({ path, line })))
  expect(found.length).toBeGreaterThan(40)
  expect(
    found.filter(
      ({ path, line }) => !INTERNAL.some((known) => line.startsWith(known)) && !listed(path, line),
    ),
  ).toEqual([])
})

type Node = {
  type?: string
  maxLength?: number
  pattern?: string
  format?: string
  enum?: unknown
  const?: unknown
  [part: string]: unknown
}

/** A part of a pattern that may be repeated without end. */
const ENDLESS = /[+*]|\{\d+,\}/

/** The paths of texts that may have any length. */
function endless(node: unknown, path: string): string[] {
  if (typeof node !== 'object' || node === null) return []
  const { type, maxLength, pattern, format, enum: choices, const: one } = node as Node
  const isShort =
    maxLength !== undefined ||
    choices !== undefined ||
    one !== undefined ||
    format === 'uuid' ||
    format === 'date-time' ||
    (pattern !== undefined && !ENDLESS.test(pattern))
  if (type === 'string' && !isShort) return [path]
  return Object.entries(node).flatMap(([name, part]) => endless(part, `${path}.${name}`))
}

test('each text that a call accepts has a maximum length', () => {
  const parts = Object.entries(calls).flatMap(([name, shapes]) =>
    Object.entries(shapes as Record<string, unknown>)
      .filter(([part]) => ['query', 'body'].includes(part))
      .map(([part, schema]) => ({ name: `${name}.${part}`, schema: schema as z.ZodType })),
  )
  expect(parts.length).toBeGreaterThan(30)
  expect(
    endless(
      z.toJSONSchema(
        z.object({
          free: z.string(),
          digits: z.string().regex(/^\d+$/),
          pin: z.string().regex(/^\d{4}$/),
        }),
      ),
      'free',
    ),
  ).toEqual(['free.properties.free', 'free.properties.digits'])
  expect(
    parts.flatMap(({ name, schema }) =>
      endless(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), name),
    ),
  ).toEqual([])
})
