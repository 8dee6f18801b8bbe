import type { Exchange } from 'ccxt'
import type { Units } from '#core/money/amount.ts'
import {
  ceilOf,
  printed,
  recordOf,
  states,
  sumByName,
  textOf,
  unitsOf,
  type Answer,
  type Dialect,
  type Found,
} from './dialect.ts'

export const KRAKEN: Dialect = {
  deadlineMs: 5_000,
  listingMs: 5_000,
  isOpen: ({ status }) => status === 'online' || status === 'limit_only',
  refusals: new Set([
    'EAPI:Feature disabled',
    'EAPI:Invalid key',
    'EAPI:Invalid nonce',
    'EAPI:Invalid signature',
    'EAPI:Rate limit exceeded',
    'EAccount:Invalid permissions',
    'EAuth:Account temporary disabled',
    'EAuth:Account unconfirmed',
    'EAuth:Rate limit exceeded',
    'EAuth:Too many requests',
    'EBM:limit exceeded',
    'EGeneral:Invalid arguments',
    'EGeneral:Permission denied',
    'EGeneral:Temporary lockout',
    'EGeneral:Too many requests',
    'EOrder:Cannot open opposing position',
    'EOrder:Cannot open position',
    'EOrder:Cost minimum not met',
    'EOrder:Domain rate limit exceeded',
    'EOrder:Insufficient funds',
    'EOrder:Insufficient margin',
    'EOrder:Invalid order',
    'EOrder:Invalid price',
    'EOrder:Margin allowance exceeded',
    'EOrder:Margin level too low',
    'EOrder:Margin position size exceeded',
    'EOrder:Order minimum not met',
    'EOrder:Orders limit exceeded',
    'EOrder:Positions limit exceeded',
    'EOrder:Post only order',
    'EOrder:Rate limit exceeded',
    'EOrder:Reduce only',
    'EOrder:Scheduled orders limit exceeded',
    'EOrder:Tick size check failed',
    'EOrder:Trading agreement required',
    'EOrder:Unknown position',
    'EQuery:Invalid asset pair',
    'EQuery:Unknown asset',
    'EQuery:Unknown asset pair',
    'EService:Deadline elapsed',
    'EService:Market in cancel_only mode',
    'EService:Market in limit_only mode',
    'EService:Market in post_only mode',
    'EService:Market in reduce_only mode',
    'ETrade:Invalid request',
    'ETrade:Locked',
    'ETrade:User Locked',
  ]),
  // The third part of a refusal names the argument and is dropped, except in these two. One means
  // that an open order already has the id. The other means that an order was filled until it would
  // have reversed the position.
  codesOf: (_, { error }) =>
    (Array.isArray(error) ? error : []).map((each) =>
      /not unique|Position is closed/.test(String(each)) ? String(each) : shortened(String(each)),
    ),
  place: async (client, { id, market, side, quantity, limit, sentAt, isTest }) => {
    await client.request('AddOrder', 'private', 'POST', {
      pair: market,
      type: side,
      ordertype: 'limit',
      volume: printed(quantity),
      price: printed(limit),
      timeinforce: 'IOC',
      // Without this flag, the fee of a sale is charged in coins, in addition to those sold.
      oflags: 'fciq',
      cl_ord_id: id,
      deadline: new Date(sentAt.getTime() + KRAKEN.deadlineMs).toISOString(),
      ...(isTest === true && { validate: 'true' }),
    })
    return undefined
  },
  look: async (client, { id }) => {
    for (const [path, list] of [
      ['ClosedOrders', 'closed'],
      ['OpenOrders', 'open'],
    ] as const) {
      const answer = recordOf(await client.request(path, 'private', 'POST', { cl_ord_id: id }))
      const found = Object.values(recordOf(recordOf(answer['result'])[list])).map(recordOf)
      const order = found.find(({ cl_ord_id: theirs }) => theirs === id)
      if (order) return krakenOrder(client, order, id)
    }
    return undefined
  },
  readAccount: async (client) => {
    const balances = [...(await krakenBalances(client))]
    // Coins that earn rewards without a fixed term (suffix F) can be traded like all others.
    const held = balances.map(
      ([name, units]) =>
        [client.safeCurrencyCode(name.replace(/\.F$/, '')) ?? name, units] as const,
    )
    const key = recordOf(await client.request('GetApiKeyInfo', 'private', 'POST', {}))
    const faults = [
      ...rewardFaults(balances),
      ...(mayOnlyTrade(recordOf(key['result'])['permissions'])
        ? []
        : ['The API key at Kraken may withdraw: make one that may only query and trade']),
    ]
    return { held: sumByName(held), faults }
  },
}

function rewardFaults(balances: readonly (readonly [string, Units])[]): string[] {
  const earning = balances.filter(([name, units]) => /\.[A-Z]$/.test(name) && units > 0n)
  if (earning.length === 0) return []
  return [
    `Kraken pays rewards on ${earning.map(([name]) => name).join(', ')}, so its balances ` +
      "would grow beyond the book's: switch them off at Kraken",
  ]
}

/** False without a list, because then the key's rights are unknown. */
const mayOnlyTrade = (permissions: unknown): boolean =>
  Array.isArray(permissions) && !permissions.some((each) => String(each).includes('withdraw'))

const shortened = (error: string): string => error.split(':').slice(0, 2).join(':')

const KRAKEN_STATES = states({
  open: ['pending', 'open'],
  ended: ['closed', 'canceled', 'expired'],
})

function krakenOrder(client: Exchange, order: Answer, id: string): Found {
  const fee = ceilOf(order['fee'])
  const flags = (textOf(order['oflags']) ?? '').split(',')
  const asset = flags.includes('fciq') ? 'quote' : flags.includes('fcib') ? 'base' : undefined
  return {
    state: KRAKEN_STATES.get(order['status']),
    quantity: unitsOf(order['vol_exec']),
    notional: unitsOf(order['cost']),
    fees:
      fee === 0n
        ? new Map()
        : fee === undefined || asset === undefined
          ? undefined
          : new Map([[asset, fee]]),
    cancel: () => client.request('CancelOrder', 'private', 'POST', { cl_ord_id: id }),
  }
}

async function krakenBalances(client: Exchange): Promise<Map<string, Units>> {
  const answer = recordOf(await client.request('BalanceEx', 'private', 'POST', {}))
  return sumByName(
    Object.entries(recordOf(answer['result'])).map(
      ([name, each]) => [name, unitsOf(recordOf(each)['balance'])] as const,
    ),
  )
}
