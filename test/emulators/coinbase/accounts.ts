import type { ExchangeState } from '../exchange-state.ts'
import type { Book } from '../orders/book.ts'
import { printParts } from '../orders/decimals.ts'
import { uuidOf } from './answer.ts'

type Asked = { state: ExchangeState; book: Book; query: URLSearchParams }

const OPENED = '2023-01-04T06:20:06.456Z'
const MOST_ACCOUNTS = 250

/** /api/v3/brokerage/accounts: what is available and what is held, by pages. */
export function accountsOf({ state, book, query }: Asked): unknown {
  const limit = Math.min(MOST_ACCOUNTS, Number(query.get('limit') ?? 49))
  const start = Number(query.get('cursor') ?? 0)
  const all = [...book.balances]
  const accounts = all.slice(start, start + limit).map(([currency, total]) => {
    const held = book.held(currency)
    const isMoney = currency === state.money
    return {
      uuid: uuidOf('account', currency),
      name: isMoney ? 'Cash (USD)' : `${currency} Wallet`,
      currency,
      available_balance: { value: printParts(total - held, 10), currency },
      default: true,
      active: true,
      created_at: OPENED,
      updated_at: OPENED,
      deleted_at: null,
      type: isMoney ? 'ACCOUNT_TYPE_FIAT' : 'ACCOUNT_TYPE_CRYPTO',
      ready: true,
      hold: { value: printParts(held, 10), currency },
      retail_portfolio_id: uuidOf('portfolio'),
    }
  })
  const end = start + accounts.length
  const hasNext = end < all.length
  return {
    accounts,
    has_next: hasNext,
    cursor: hasNext ? String(end) : '',
    size: accounts.length,
  }
}

/** /v2/accounts: totals, by pages. */
export function walletsOf({ state, book, query }: Asked): unknown {
  const limit = Math.min(MOST_ACCOUNTS, Number(query.get('limit') ?? 25))
  const after = query.get('starting_after')
  const all = [...book.balances].map(([currency, total]) =>
    walletOf({ currency, amount: printParts(total, 8), isMoney: currency === state.money }),
  )
  const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1
  const data = all.slice(start, start + limit)
  const next = start + data.length < all.length ? (data.at(-1)?.id ?? null) : null
  return {
    data,
    pagination: {
      ending_before: null,
      limit,
      next_starting_after: next,
      next_uri: next === null ? null : `/v2/accounts?limit=${limit}&starting_after=${next}`,
      order: 'desc',
      previous_ending_before: null,
      previous_uri: null,
      starting_after: after,
    },
  }
}

function walletOf({
  currency,
  amount,
  isMoney,
}: {
  currency: string
  amount: string
  isMoney: boolean
}) {
  const id = uuidOf('account', currency)
  return {
    id,
    name: `${currency} Wallet`,
    primary: true,
    type: isMoney ? 'fiat' : 'wallet',
    balance: { amount, currency },
    created_at: '2023-08-28T23:49:17Z',
    updated_at: '2023-08-28T23:49:17Z',
    resource: 'account',
    resource_path: `/v2/accounts/${id}`,
    currency: {
      asset_id: uuidOf('asset', currency),
      code: currency,
      color: '#1C68F3',
      exponent: 8,
      name: currency,
      slug: currency.toLowerCase(),
      type: isMoney ? 'fiat' : 'crypto',
      rewards: null,
    },
    allow_deposits: true,
    allow_withdrawals: true,
  }
}
