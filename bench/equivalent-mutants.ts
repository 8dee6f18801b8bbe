/**
 * Changes of the rules that no test can detect, because the results are the same. `npm run bench --
 * mutation` reports all other undetected changes.
 */
export const EQUIVALENT: readonly {
  file: string
  code: string
  replacement: string
  reason: string
}[] = [
  {
    file: 'money/amount.ts',
    code: 'a < b',
    replacement: 'a <= b',
    reason: 'of two equal amounts, either is the smallest',
  },
  {
    file: 'money/amount.ts',
    code: 'a > b',
    replacement: 'a >= b',
    reason: 'of two equal amounts, either is the largest',
  },
  {
    file: 'money/decimal.ts',
    code: "'0'",
    replacement: '""',
    reason: 'a decimal always has whole digits; the default is for the compiler',
  },
  {
    file: 'money/rounding.ts',
    code: 'product < 0n',
    replacement: 'product <= 0n',
    reason: 'a product of 0 has no remainder',
  },
  {
    file: 'money/text.ts',
    code: "'0'",
    replacement: '""',
    reason: 'text always has a first part; the default is for the compiler',
  },
  {
    file: 'money/text.ts',
    code: '[]',
    replacement: '["Stryker was here"]',
    reason: 'the first element of a match is not read',
  },
  {
    file: 'deposits/card.ts',
    code: '[]',
    replacement: '["Stryker was here"]',
    reason: 'the first element of a match is not read',
  },
  {
    file: 'withdrawals/ach-file.ts',
    code: '/^\\d+$/',
    replacement: '/^\\d+/',
    reason: 'only counts and safe integers come here, which have nothing behind their digits',
  },
  {
    file: 'withdrawals/bank-account.ts',
    code: 'total + Number(digit) * (weights[index] ?? 0)',
    replacement: 'total - Number(digit) * (weights[index] ?? 0)',
    reason: 'a sum and its negative are multiples of 10 together',
  },
  {
    file: 'auth/credentials.ts',
    code: 'index - 1',
    replacement: 'index + 1',
    reason: 'neighbors that differ are counted, from either side',
  },
  {
    file: 'withdrawals/payout-proof.ts',
    code: "''",
    replacement: '"Stryker was here!"',
    reason: 'every key of a transfer has a second part; the default is for the compiler',
  },
  {
    file: 'withdrawals/payout-proof.ts',
    code: 'one.id < other.id',
    replacement: 'one.id <= other.id',
    reason: 'two deposits never have one id',
  },
  {
    file: 'withdrawals/protections.ts',
    code: 'one === undefined',
    replacement: 'false',
    reason: 'nothing is no lower than the other limit, which is then taken',
  },
  {
    file: 'withdrawals/protections.ts',
    code: 'one < other',
    replacement: 'one <= other',
    reason: 'of two equal limits, either is the lower',
  },
  {
    file: 'withdrawals/protections.ts',
    code: 'requested < limit',
    replacement: 'requested <= limit',
    reason: 'a limit less all of it is 0',
  },
  {
    file: 'withdrawals/protections.ts',
    code: 'left !== undefined',
    replacement: 'true',
    reason: 'no amount is above undefined; the check is for the compiler',
  },
  {
    file: 'pool/trades.ts',
    code: 'coins += baseOut - paidBase',
    replacement: 'coins -= baseOut - paidBase',
    reason: 'only whether they come to 0 is asked',
  },
  {
    file: 'bots/change-settings.ts',
    code: 'before < after',
    replacement: 'before <= after',
    reason: 'no added pair needs no part',
  },
  {
    file: 'bots/growth.ts',
    code: 'move.amount > 0n',
    replacement: 'move.amount >= 0n',
    reason: 'a move of nothing adds nothing on either side',
  },
  {
    file: 'bots/hold-flows.ts',
    code: 'amount < worth',
    replacement: 'amount <= worth',
    reason: 'all of the worth is all of each holding',
  },
  {
    file: 'bots/value-curve.ts',
    code: 'flow.pool !== undefined',
    replacement: 'true',
    reason: 'a flow without a pool moves neither coins nor units',
  },
  {
    file: 'bots/value-curve.ts',
    code: 'after.base === 0n && after.units === 0n',
    replacement: 'false',
    reason: 'an empty holding is worth nothing; leaving it out saves time',
  },
  {
    file: 'bots/value-curve.ts',
    code: 'base > 0n',
    replacement: 'true',
    reason: 'no coins are worth nothing',
  },
  {
    file: 'bots/value-curve.ts',
    code: 'base > 0n',
    replacement: 'base >= 0n',
    reason: 'no coins are worth nothing',
  },
]
