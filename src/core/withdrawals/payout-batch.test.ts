import fc from 'fast-check'
import { expect, test } from 'vitest'
import { centsToUnits } from '#core/money/cents.ts'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { achFile } from './ach-file.ts'
import { isRoutingNumber } from './bank-account.ts'
import { payoutCsv, totalOf, type PayoutBatch, type PayoutLine } from './payout-batch.ts'

const ORIGIN = { bankRouting: '121000248', companyId: '1234567890', companyName: 'Trading Bot' }
const line = (given: Partial<PayoutLine> = {}): PayoutLine => ({
  withdrawalId: '01890000-0000-7000-8000-00000000abcd',
  name: 'Ada Lovelace',
  routingNumber: '021000021',
  accountNumber: '000123456789',
  accountType: 'checking',
  amount: units('123.45'),
  ...given,
})
const batch = (...lines: PayoutLine[]): PayoutBatch => ({
  number: 7,
  createdAt: new Date('2026-11-21T17:20:00Z'),
  lines,
})
const SMALL = batch(
  line(),
  line({
    name: 'Zoë "Z" Ångström-O’Hara the Third',
    routingNumber: '026009593',
    accountType: 'savings',
    amount: units('10'),
  }),
)

test('the CSV has a line for each payout, then one with count and total', () => {
  expect(payoutCsv(SMALL)).toBe(
    [
      'batch,position,withdrawal,name,routing_number,account_number,account_type,amount',
      '7,1,01890000-0000-7000-8000-00000000abcd,Ada ' +
        'Lovelace,021000021,000123456789,checking,123.45',
      '7,2,01890000-0000-7000-8000-00000000abcd,"Zoë ""Z"" Ångström-O’Hara the ' +
        'Third",026009593,000123456789,savings,10.00',
      '7,total,2,,,,,133.45',
      '',
    ].join('\n'),
  )
  expect(payoutCsv(batch(line({ name: '=1+1' })))).toContain(",'=1+1,")
})

/** Expected records are written by hand from the record format, field by field. */
test('the ACH file follows the record format', () => {
  const records = achFile(SMALL, ORIGIN).trimEnd().split('\n')
  expect(records.slice(0, 6)).toEqual([
    `101 1210002481234567890${'261121'}${'1220'}H094101${' '.repeat(23)}TRADING BOT           ` +
      ' B7      ',
    `5220TRADING BOT     ${' '.repeat(20)}1234567890PPDWITHDRAWAL261121261123   1121000240000001`,
    '622021000021000123456789     00000123450000000' +
      '0000abcd'.toUpperCase() +
      'ADA LOVELACE            0121000240000001',
    '632026009593000123456789     00000010000000000' +
      '0000abcd'.toUpperCase() +
      'ZOE  Z  ANGSTROM O HAR  0121000240000002',
    `82200000020004700961${'0'.repeat(12)}0000000133451234567890${' '.repeat(25)}121000240000001`,
    `9000001000001000000020004700961${'0'.repeat(12)}000000013345${' '.repeat(39)}`,
  ])
  expect(records).toHaveLength(10)
  expect(records.slice(6)).toEqual(Array.from({ length: 4 }, () => '9'.repeat(94)))
})

test.each([
  [5, 10],
  [6, 10],
  [7, 20],
  [16, 20],
  [17, 30],
])('%s payouts fill %s lines, in blocks of ten', (payouts, lines) => {
  const records = achFile(batch(...Array.from({ length: payouts }, () => line())), ORIGIN)
    .trimEnd()
    .split('\n')
  expect(records).toHaveLength(lines)
  expect(records[payouts + 3]?.slice(0, 21)).toBe(
    `9000001${String(lines / 10).padStart(6, '0')}${String(payouts).padStart(8, '0')}`,
  )
})

test('the hash of routing numbers keeps its last ten digits', () => {
  const records = achFile(
    batch(...Array.from({ length: 101 }, () => line({ routingNumber: '999999992' }))),
    ORIGIN,
  ).split('\n')
  expect(records.find((record) => record.startsWith('8'))?.slice(10, 20)).toBe('0099999899')
})

test('an amount that fills its field is accepted; a larger one or one below 0 is a bug', () => {
  expect(achFile(batch(line({ amount: units('99999999.99') })), ORIGIN)).toContain('9999999999')
  expect(() => achFile(batch(line({ amount: units('100000000') })), ORIGIN)).toThrow(
    '10000000000 does not fit into 10 digits',
  )
  expect(() =>
    achFile(batch(line({ amount: units('-1') }), line({ amount: units('2') })), ORIGIN),
  ).toThrow('-100 does not fit into 10 digits')
})

test('a bank without a complete routing number is a bug', () => {
  expect(() => achFile(SMALL, { ...ORIGIN, bankRouting: '12100024' })).toThrow(
    'an ACH record has 94 characters',
  )
})

const ROUTINGS = ['021000021', '026009593', '121000248', '011000015']
const anyLine = fc.record({
  withdrawalId: fc.uuid(),
  name: fc.string({ unit: 'grapheme', maxLength: 60 }),
  routingNumber: fc.constantFrom(...ROUTINGS),
  accountNumber: fc.stringMatching(/^\d{4,17}$/),
  accountType: fc.constantFrom('checking' as const, 'savings' as const),
  amount: fc.integer({ min: 1_000, max: 9_999_999 }).map(centsToUnits),
})

test('any batch gives records of 94 characters in blocks of ten, with correct totals', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { minLength: 1, maxLength: 60 }), (lines) => {
      const records = achFile(batch(...lines), ORIGIN)
        .slice(0, -1)
        .split('\n')
      expect(records.length % 10).toBe(0)
      expect(records.every((record) => /^[\x20-\x7e]{94}$/.test(record))).toBe(true)
      const entries = records.filter((record) => record.startsWith('6'))
      expect(entries.map((record) => record.slice(3, 12)).every(isRoutingNumber)).toBe(true)
      expect(entries.map((record) => centsToUnits(Number(record.slice(29, 39))))).toEqual(
        lines.map(({ amount }) => amount),
      )
      const [control = ''] = records.filter((record) => record.startsWith('8'))
      expect(centsToUnits(Number(control.slice(32, 44)))).toBe(totalOf({ lines }))
      expect(Number(control.slice(4, 10))).toBe(lines.length)
      expect(BigInt(control.slice(10, 20))).toBe(
        lines.reduce((sum, { routingNumber }) => sum + BigInt(routingNumber.slice(0, 8)), 0n) %
          10n ** 10n,
      )
    }),
  )
})
