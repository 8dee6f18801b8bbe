import { assert } from '#core/assert.ts'
import { unitsToCents } from '#core/money/cents.ts'
import { expectedArrival, newYork } from './arrival.ts'
import { totalOf, type PayoutBatch, type PayoutLine } from './payout-batch.ts'

/** Company and bank as registered with the receiving bank. */
export type AchOrigin = {
  /** Routing number of the bank that receives the file. */
  bankRouting: string
  /** At most 10 characters. */
  companyId: string
  companyName: string
}

const RECORD_LENGTH = 94
const RECORDS_PER_BLOCK = 10
const CREDITS_ONLY = '220'
const TRANSACTION_CODES = { checking: '22', savings: '32' } as const

/**
 * Records of 94 characters in blocks of ten, credits only, one batch of class PPD. Throws
 * `AssertionFailed` if a number does not fit its field; longer texts are cut. Source: Nacha
 * Operating Rules, appendix three, "ACH record format specifications".
 */
export function achFile(batch: PayoutBatch, origin: AchOrigin): string {
  const { lines } = batch
  const sums = {
    count: number(lines.length, 6),
    hash: entryHash(lines),
    debits: number(0, 12),
    credits: number(unitsToCents(totalOf(batch)), 12),
  }
  const records = [
    fileHeader(batch, origin),
    batchHeader(batch, origin),
    ...lines.map((line, index) => entry(line, traceOf(origin, index + 1))),
    `8${CREDITS_ONLY}${sums.count}${sums.hash}${sums.debits}${sums.credits}` +
      `${text(origin.companyId, 10)}${' '.repeat(25)}${traceOf(origin, 1)}`,
  ]
  const blocks = Math.ceil((records.length + 1) / RECORDS_PER_BLOCK)
  const control =
    `9${number(1, 6)}${number(blocks, 6)}${number(lines.length, 8)}` +
    `${sums.hash}${sums.debits}${sums.credits}${' '.repeat(39)}`
  const filler = Array.from({ length: blocks * RECORDS_PER_BLOCK - records.length - 1 }, () =>
    '9'.repeat(RECORD_LENGTH),
  )
  const file = [...records, control, ...filler]
  assert(
    file.every((record) => record.length === RECORD_LENGTH),
    'an ACH record has 94 characters',
  )
  return `${file.join('\n')}\n`
}

function fileHeader(
  { createdAt, number: batch }: PayoutBatch,
  { bankRouting, companyId, companyName }: AchOrigin,
): string {
  const { day, time } = newYork(createdAt.getTime())
  // Distinguishes the files of one day.
  const modifier = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'.charAt(batch % 36)
  return (
    `101 ${bankRouting}${text(companyId, 10)}${day}${time}${modifier}094101${text('', 23)}` +
    `${text(companyName, 23)}${text(`B${batch}`, 8)}`
  )
}

function batchHeader({ createdAt }: PayoutBatch, origin: AchOrigin): string {
  const { day } = newYork(createdAt.getTime())
  // The arrival day that the app shows to users.
  const settles = expectedArrival(createdAt.getTime()).first.toISOString()
  const effective = settles.slice(2, 10).replaceAll('-', '')
  return (
    `5${CREDITS_ONLY}${text(origin.companyName, 16)}${' '.repeat(20)}` +
    `${text(origin.companyId, 10)}PPD${text('WITHDRAWAL', 10)}${day}${effective}   1${traceOf(origin, 1)}`
  )
}

function entry(
  { accountType, routingNumber, accountNumber, amount, withdrawalId, name }: PayoutLine,
  trace: string,
): string {
  const reference = text(withdrawalId.replaceAll('-', '').slice(-15), 15)
  return (
    `6${TRANSACTION_CODES[accountType]}${routingNumber}${text(accountNumber, 17)}` +
    `${number(unitsToCents(amount), 10)}${reference}${text(name, 22)}  0${trace}`
  )
}

/** The sum of the first eight digits of all routing numbers, modulo 10¹⁰. */
function entryHash(lines: readonly PayoutLine[]): string {
  const sum = lines.reduce(
    (total, { routingNumber }) => total + BigInt(routingNumber.slice(0, 8)),
    0n,
  )
  return (sum % 10n ** 10n).toString().padStart(10, '0')
}

const traceOf = ({ bankRouting }: AchOrigin, position: number): string =>
  `${bankRouting.slice(0, 8)}${number(position, 7)}`

/** Throws unless the digits fit: a truncated amount would be a different amount. */
function number(value: number, width: number): string {
  const digits = String(value)
  assert(
    /^\d+$/.test(digits) && digits.length <= width,
    `${digits} does not fit into ${width} digits`,
  )
  return digits.padStart(width, '0')
}

/** Capital letters and digits; other characters become blanks. */
function text(value: string, width: number): string {
  const plain = value
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9 ]/g, ' ')
  return plain.trim().slice(0, width).padEnd(width, ' ')
}
