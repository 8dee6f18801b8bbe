import { expect, test } from 'vitest'
import { z } from 'zod'
import type { CallRow } from './call-row.ts'
import { LONG_NAME_SENTENCE } from '#core/bots/bot.ts'
import { calls } from './calls.ts'
import { PROBLEMS } from './problem.ts'

/** Typical texts. Each field is tested with those that it accepts. */
const SAMPLES = [
  'ada',
  'Ada Lovelace',
  'ada@example.com',
  '021000021',
  '000123456789',
  '123456',
  'k3f9w-07xqa',
  'BTC/USDT',
  'BTC-USD',
  '20.00',
  'fees',
  '1',
  '2026-11-01T00:00:00.000Z',
  '0197f000-0000-7000-8000-000000000001',
  'https://fcm.googleapis.com/fcm/send/x',
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xab',
  'AAAA',
]

/**
 * Fields that must not be trimmed: a blank may be part of a password, and a signature covers every
 * character of its message. Software generates the others.
 */
const EXACT = new RegExp(
  '\\.(password|currentPassword|newPassword|id|token|request|clientSecret|paymentIntentId|' +
    'bankAccountId|cursor|with|pairs|endpoint)$|' +
    '^(verifyWallet\\.message|confirmDeposit\\.amount)$',
)

type Field = { path: string; schema: z.ZodType }

/** All fields of a schema, also inside optional fields, defaults, lists and unions. */
function fieldsOf(schema: z.ZodType, path: string): Field[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) =>
      fieldsOf(field, `${path}.${name}`),
    )
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  )
    return fieldsOf(schema.unwrap() as z.ZodType, path)
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element as z.ZodType, path)
  return [{ path, schema }]
}

const fields = Object.entries(calls as Record<string, CallRow>).flatMap(([name, { body, query }]) =>
  [body, query].flatMap((part) => (part ? fieldsOf(part, name) : [])),
)

/** Samples that a field accepts, but refuses or changes when blanks surround them. */
const misread = ({ schema }: Field): string[] =>
  SAMPLES.filter((sample) => {
    const [plain, blank] = [sample, ` \u00a0\t${sample}\n `].map((text) => schema.safeParse(text))
    return (
      plain?.success && blank?.success && JSON.stringify(blank.data) !== JSON.stringify(plain.data)
    )
  })

/** Fields for typed text, which must accept blanks around it. */
const TYPED = new RegExp(
  '\\.(username|account|email|code|firstName|lastName|name|bankName|accountNumber|' +
    'routingNumber|walletAddress|walletType|q)$',
)

test('blanks around a text are trimmed', () => {
  expect(misread({ path: 'loose.text', schema: z.string() })).toEqual(SAMPLES)
  expect(
    fields
      .filter(({ path }) => !EXACT.test(path))
      .flatMap((field) => misread(field).map((sample) => `${field.path}: ${sample}`)),
  ).toEqual([])
})

test('blanks around a name, a code, a number or an address are trimmed', () => {
  const typed = fields.filter(({ path }) => TYPED.test(path))
  expect(typed.length).toBeGreaterThan(18)
  const strict = typed.filter(({ schema }) =>
    SAMPLES.some(
      (sample) =>
        schema.safeParse(sample).success && !schema.safeParse(` \u00a0${sample} `).success,
    ),
  )
  expect(strict.map(({ path }) => path)).toEqual([])
})

/**
 * Sentences of rules that state the allowed lengths, or of rules that longer texts break anyway.
 */
const OF_RULES: ReadonlySet<string> = new Set([
  LONG_NAME_SENTENCE,
  PROBLEMS['wrong-code'].message,
  PROBLEMS['account-number-invalid'].message,
  PROBLEMS['routing-number-invalid'].message,
  PROBLEMS['key-network-invalid'].message,
])

test('a text that is too long is refused with its limit, or by the rule of its field', () => {
  const tooLong = fields.flatMap(({ path, schema }) =>
    (schema.safeParse('1'.repeat(100_000)).error?.issues ?? []).flatMap((issue) =>
      issue.code === 'too_big' && issue.origin === 'string' ? [{ path, issue }] : [],
    ),
  )
  expect(tooLong.length).toBeGreaterThan(30)
  const others = tooLong.filter(
    ({ issue: { message, maximum } }) =>
      !OF_RULES.has(message) && !message.replaceAll(',', '').includes(String(maximum)),
  )
  expect(others.map(({ path, issue }) => `${path}: ${issue.message}`)).toEqual([])
})
