import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '#core/assert.ts'
import type { CashRates } from '#core/evidence/cash.ts'

const FILE = join(import.meta.dirname, '../../../data/treasury-bills/TB3MS.csv')

/** Worded as in the README beside the file. */
export const BILLS_SOURCE =
  'Board of Governors of the Federal Reserve System, 3-month Treasury bills (TB3MS), public domain'

/** Rates of 3-month US Treasury bills, and the hash of their file. */
export type TreasuryBills = { rates: CashRates; sha256: string }

let kept: TreasuryBills | undefined

/** Percent with two decimals are whole basis points. */
export function readTreasuryBills(): TreasuryBills {
  if (kept) return kept
  const text = readFileSync(FILE, 'utf8')
  const rows = text.trimEnd().split('\n').slice(1)
  const rates = new Map(
    rows.map((row) => {
      const [, month = '', whole = '', hundredths = ''] =
        /^(\d{4}-\d{2}),(\d{1,2})\.(\d{2})$/.exec(row) ?? []
      assert(month !== '', `a row of Treasury bills is a month and a percentage: ${row}`)
      return [month, Number(whole + hundredths)] as const
    }),
  )
  kept = { rates, sha256: createHash('sha256').update(text).digest('hex') }
  return kept
}
