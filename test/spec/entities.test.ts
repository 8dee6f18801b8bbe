import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll } from 'vitest'
import { createRisingWorld } from '../world/small-book.ts'
import { linkTo } from '#server/notices/link.ts'
import { BANK_ACCOUNT, PASSWORD, type TestUser, type World } from '../world/world.ts'
import { equals } from './checks.ts'
import { createMarketWorld } from './market-world.ts'
import { DECIMAL, like, MOMENT, USD, UUID } from './http.ts'
import { rows } from './rows.ts'

type Record_ = Record<string, unknown>

let world: World
const shown = {
  user: {} as Record_,
  wallet: {} as Record_,
  transaction: {} as Record_,
  bot: {} as Record_,
  trade: {} as Record_,
  sale: {} as Record_,
}
const more = {
  account: {} as Record_,
  withdrawal: {} as Record_,
  price: {} as Record_,
  nonce: {} as Record_,
  receipt: {} as Record_,
}

beforeAll(async () => {
  world = await createRisingWorld()
  const ada = await world.user()
  await ada.deposit('1000')
  const bot = {
    name: 'Steady',
    riskLevel: 'moderate',
    tradingPairs: ['BTC/USDT'],
    investmentAmount: '333.33',
  }
  const { id } = await ada.call('createBot', { body: bot })
  await world.hours(48)
  more.account = await ada.call('addBankAccount', { body: BANK_ACCOUNT })
  more.withdrawal = await ada.call('requestWithdrawal', { body: { amount: '12.5' } })
  await readAll(ada, id)
  await ada.call('deleteBot', { params: { id } })
  await world.hours(2)
  const { items } = await ada.call('listTransactions', { query: { type: 'trade' } })
  shown.sale = items[0] ?? {}
  more.receipt = await ada.call('getTransaction', { params: { id: items[0]?.id } })
})
afterAll(() => world.close())

/** Links a wallet with a new key on this chain. */
async function linkOn(ada: TestUser, chainId: number): Promise<Record_> {
  const key = privateKeyToAccount(generatePrivateKey())
  const { message } = await ada.call('getWalletNonce', {
    query: { walletAddress: key.address, chainId: String(chainId) },
  })
  const proof = {
    walletAddress: key.address,
    signature: await key.signMessage({ message }),
    message,
    walletType: 'metamask',
    chainId,
    chainName: '',
  }
  return ada.call('verifyWallet', { body: proof })
}

async function readAll(ada: TestUser, id: string): Promise<void> {
  more.nonce = await ada.call('getWalletNonce', {
    query: { walletAddress: privateKeyToAccount(generatePrivateKey()).address, chainId: '1' },
  })
  shown.wallet = await linkOn(ada, 1)
  shown.user = await ada.call('getUser')
  shown.transaction =
    (await ada.call('listTransactions', { query: { type: 'deposit' } })).items[0] ?? {}
  shown.bot = (await ada.call('listBots'))[0] ?? {}
  shown.trade = (await ada.call('listBotTrades', { params: { id } })).items[0] ?? {}
  more.price = (await ada.call('getPrices'))['BTC'] ?? {}
}

/**
 * A row for each field, with the value that the API returns. `note` names the decision that changes
 * them.
 */
function fields(
  entity: string,
  read: () => Record_,
  expected: Record<string, unknown>,
  note = '',
): Record<string, () => void> {
  return Object.fromEntries(
    Object.entries(expected).map(([name, value]) => [
      `${entity}: ${name}${note}`,
      () => equals(read()[name], value),
    ]),
  )
}

/** The links that verify an address, of two users who enter it one after the other. */
async function bothName(email: string): Promise<[string, string]> {
  const links: string[] = []
  for (const user of [await world.user(), await world.user()]) {
    await user.call('changeEmail', { body: { email, currentPassword: PASSWORD } })
    const [row] = await world.context.sql<
      { id: string }[]
    >`select id from deliveries where user_id = ${user.id} and kind = 'verify-email'`
    links.push(
      linkTo({
        purpose: 'verify',
        delivery: { userId: user.id, id: row?.id ?? '', address: email },
        config: world.context.config,
      }).split('#')[1] ?? '',
    )
  }
  const [first = '', second = ''] = links
  return [first, second]
}

const verifies = async (token: string): Promise<number> =>
  (await world.stranger().ask('verifyEmail', { body: { token } })).status

rows('3 users', {
  'users: two accounts may name an email until one of them verifies it (decision 47)': async () => {
    const [, second] = await bothName('named@example.com')
    equals(await verifies(second), 200)
  },
  'users: email is unique among verified ones (decision 47)': async () => {
    const [first, second] = await bothName('unique@example.com')
    equals([await verifies(first), await verifies(second)], [200, 410])
  },
  ...fields('users', () => shown.user, {
    id: UUID,
    username: like(/^user\d+$/),
    email: null,
    firstName: 'Ada',
    lastName: 'Lovelace',
    createdAt: MOMENT,
  }),
  ...fields(
    'users',
    () => shown.user,
    { totalBalance: USD, availableBalance: USD },
    ', 2 decimals, computed from the ledger (decision 9)',
  ),
  ...fields('users', () => shown.user, { profileImageUrl: null }, ', set by nothing (decision 13)'),
  'users: password never leaves the server (decision 9)': () =>
    equals('password' in shown.user, false),
  'users: totalBalance is 0.00 by default': async () =>
    equals((await (await world.user()).call('getUser')).totalBalance, '0.00'),
  'users: availableBalance is 0.00 by default': async () =>
    equals((await (await world.user()).call('getUser')).availableBalance, '0.00'),
  'users: stripeCustomerId, stripeSubscriptionId and updatedAt are kept, never sent (decision 13)':
    async () => {
      const [row] = await world.context.sql<
        Record_[]
      >`select stripe_customer_id, stripe_subscription_id, updated_at from users limit 1`
      equals(Object.keys(row ?? {}), ['stripeCustomerId', 'stripeSubscriptionId', 'updatedAt'])
      equals(
        Object.keys(row ?? {}).filter((name) => name in shown.user),
        [],
      )
    },
  'users: the password is kept as an argon2id hash (decision 9)': async () => {
    const [row] = await world.context.sql<
      { password: string }[]
    >`select password from users limit 1`
    equals(row?.password, like(/^\$argon2id\$/))
  },
  'sessions: the id is kept hashed, and expires (decision 21)': async () => {
    const [row] = await world.context.sql<
      { size: number; isLater: boolean }[]
    >`select length(sid_hash) as size, expires_at > now() as is_later from sessions limit 1`
    equals(row, { size: 32, isLater: true })
  },
})

rows('3 wallets', {
  'wallets: userId, currency and balance are a view of what the bots own (decision 13)':
    async () => {
      const kept = await world.user()
      await kept.deposit('100')
      await kept.call('createBot', {
        body: {
          name: 'Kept',
          riskLevel: 'aggressive',
          tradingPairs: ['BTC/USDT'],
          investmentAmount: '50',
        },
      })
      await world.hours(2)
      const found = await world.context.sql<
        Record_[]
      >`select user_id, currency, balance from wallets where user_id = ${kept.id} order by currency`
      equals(found, [
        { userId: kept.id, currency: 'BTC', balance: DECIMAL },
        { userId: kept.id, currency: 'USD', balance: DECIMAL },
      ])
    },
})

rows('3 crypto_wallets', {
  ...fields('crypto_wallets', () => shown.wallet, {
    id: UUID,
    walletAddress: like(/^0x[0-9a-fA-F]{40}$/),
    walletType: 'metamask',
    chainId: 1,
    chainName: 'Ethereum',
  }),
  ...fields('crypto_wallets', () => shown.wallet, {
    isConnected: true,
    lastBalance: '0.00000000',
    lastBalanceCheck: null,
    connectedAt: MOMENT,
    disconnectedAt: null,
  }),
  ...fields('wallet_verification_nonces', () => more.nonce, {
    nonce: like(/^\w{8,}$/),
    expiresAt: MOMENT,
  }),
})

rows('3 transactions', {
  ...fields('transactions', () => shown.transaction, {
    id: UUID,
    type: 'deposit',
    amount: '1000.00',
    currency: 'USD',
    status: 'completed',
  }),
  ...fields('transactions', () => shown.transaction, {
    description: 'Card deposit',
    createdAt: MOMENT,
  }),
  'transactions: paymentIntentId is unique among deposits (decision 12)': async () => {
    const { sql } = world.context
    const copy = sql`
      insert into transactions (id, user_id, type, amount, description, payment_intent_id,
             transfer_id)
      select gen_random_uuid(), user_id, type, amount, description, payment_intent_id, transfer_id
        from transactions where type = 'deposit' limit 1`
    equals(
      await copy.catch((error: Error) => error.message),
      like(/transactions_one_deposit_per_intent/),
    )
  },
  "transactions: status is 'pending' by default": async () => {
    const [row] = await world.context.sql<{ value: string }[]>`
      select column_default as value from information_schema.columns
       where table_name = 'transactions' and column_name = 'status'`
    equals(row?.value, like(/^'pending'/))
  },
})

rows('3 trading_bots', {
  ...fields('trading_bots', () => shown.bot, {
    id: UUID,
    name: 'Steady',
    riskLevel: 'moderate',
    tradingPairs: ['BTC/USDT'],
    createdAt: MOMENT,
    updatedAt: MOMENT,
  }),
  ...fields('trading_bots', () => shown.bot, {
    investmentAmount: '333.33',
    totalProfit: USD,
    totalReturn: like(/^-?\d+\.\d\d$/),
  }),
  ...fields(
    'trading_bots',
    () => shown.bot,
    { isActive: true },
    ' from the beginning (decision 15)',
  ),
  'trading_bots: insert shapes omit totalProfit and totalReturn': async () => {
    const ada = await world.user()
    const bot = {
      name: 'Steady',
      riskLevel: 'moderate',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '10',
      totalProfit: '5',
      totalReturn: '5',
    }
    equals((await ada.ask('createBot', { body: bot })).body.message, 'Unknown field: totalProfit')
  },
  'trading_bots: totalProfit is 0 in the beginning': async () => {
    const ada = await world.user()
    await ada.deposit('10')
    const bot = {
      name: 'Steady',
      riskLevel: 'moderate',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '10',
    }
    const { totalProfit, totalReturn } = await ada.call('createBot', { body: bot })
    equals([totalProfit, totalReturn], ['0.00', '0.00'])
  },
  ...fields('bot_trades', () => shown.trade, {
    id: like(/^[0-9a-f.-]{73}$/),
    botId: UUID,
    tradingPair: 'BTC/USDT',
    side: 'buy',
    amount: USD,
    price: DECIMAL,
  }),
  'trading_bots: deleting a bot keeps its trades (decision 12)': () => {
    equals(
      [shown.sale['type'], shown.sale['description'], shown.sale['status']],
      ['trade', 'Sold BTC · Steady', 'completed'],
    )
  },
  'bot_trades: profit of a sale has 8 decimals': () =>
    equals((more.receipt['trade'] as Record_)['profit'], DECIMAL),
  ...fields('bot_trades', () => shown.trade, {
    quantity: DECIMAL,
    profit: null,
    status: 'completed',
    createdAt: MOMENT,
  }),
})

rows('3 bank_accounts', {
  ...fields('bank_accounts', () => more.account, {
    id: UUID,
    bankName: 'First Bank',
    accountType: 'checking',
    createdAt: MOMENT,
  }),
  ...fields(
    'bank_accounts',
    () => more.account,
    { accountNumber: '6789' },
    ', the last 4 digits only (decision 10)',
  ),
  ...fields('bank_accounts', () => more.account, { isDefault: true }, ', the first one'),
  'bank_accounts: the number is kept encrypted (decision 10)': async () => {
    const [row] = await world.context.sql<
      { sealed: string }[]
    >`select account_number_sealed as sealed from bank_accounts limit 1`
    equals(row?.sealed.includes('123456789'), false)
  },
  'bank_accounts: routingNumber is required (decision 10)': async () => {
    const ada = await world.user()
    const { routingNumber: _left, ...rest } = BANK_ACCOUNT
    equals((await ada.ask('addBankAccount', { body: rest })).body.field, 'routingNumber')
  },
})

rows('3 withdrawal_requests', {
  ...fields('withdrawal_requests', () => more.withdrawal, {
    id: UUID,
    bankAccountId: UUID,
    amount: '12.50',
    status: 'pending',
    createdAt: MOMENT,
  }),
  ...fields(
    'withdrawal_requests',
    () => more.withdrawal,
    { processedAt: null },
    ', until it is processed',
  ),
})

rows('3 platform_fees', {
  'platform_fees: money that leaves a bot pays 15.00 % of the profit in it, floored (decision 6)':
    async () => {
      const [row] = await world.context.sql<
        { isProfit: boolean; exact: boolean; isBooked: boolean }[]
      >`
      select user_profit > 0 as is_profit, fee_amount = user_profit * 1500 / 10000 as exact,
             fee_amount = (select balance from ledger_accounts a where a.user_id = f.user_id
             and a.code = 'fees:income') as is_booked
        from platform_fees f where fee_amount > 0`
      equals(row, { isProfit: true, exact: true, isBooked: true })
    },
  'platform_fees: a row has its user, its bot and the trade that the money came from': async () => {
    const [row] = await world.context.sql<
      Record_[]
    >`select user_id, bot_id, trade from platform_fees where trade is not null limit 1`
    equals(
      [row?.['userId'], `${String(row?.['trade'])}.${String(row?.['botId'])}`],
      [shown.user['id'], shown.sale['id']],
    )
  },
  'platform_fees: feePercentage is 15.00 by default, kept as 1500 basis points (decision 8)':
    async () => {
      const [row] = await world.context.sql<{ feeBps: number; byDefault: string }[]>`
      select fee_bps, (select column_default from information_schema.columns
             where table_name = 'platform_fees' and column_name = 'fee_bps') as by_default
        from platform_fees limit 1`
      equals(row, { feeBps: 1_500, byDefault: '1500' })
    },
  'platform_fees: money that leaves without a profit pays nothing (decision 6)': async () => {
    const falling = await createMarketWorld((hoursBeforeNow) => (hoursBeforeNow > -6 ? 125 : -400))
    const user = await falling.user()
    await user.deposit('100')
    const { id } = await user.call('createBot', {
      body: {
        name: 'Losing',
        riskLevel: 'aggressive',
        tradingPairs: ['BTC/USDT'],
        investmentAmount: '100',
      },
    })
    await falling.hours(24)
    const [losing] = await user.call('listBots')
    equals([Number(losing?.totalProfit) < 0, losing?.closingFee], [true, '0.00'])
    await user.call('deleteBot', { params: { id } })
    await falling.hours(1)
    const { availableBalance, investedBalance } = await user.call('getUser')
    equals(
      [Number(availableBalance) > 0, Number(availableBalance) < 100, investedBalance],
      [true, true, '0.00'],
    )
    const [row] = await falling.context.sql<{ rows: number; income: string }[]>`
      select (select count(*)::integer from platform_fees) as rows,
             (select coalesce(sum(balance), 0)::text from ledger_accounts
             where code = 'fees:income') as income`
    equals(row, { rows: 0, income: '0' })
    await falling.close()
  },
})

rows(
  '3 Market prices',
  fields('market price entry', () => more.price, {
    name: 'Bitcoin',
    price: DECIMAL,
    change24h: like(/^-?\d+\.\d\d$/),
  }),
)

const PRECISION: Record<string, [() => unknown, RegExp]> = {
  'user amounts have 2 decimals': [() => shown.user['totalBalance'], /^\d+\.\d{2}$/],
  'withdrawal amounts have 2 decimals': [() => more.withdrawal['amount'], /^\d+\.\d{2}$/],
  'crypto quantities have 8 decimals': [() => shown.trade['quantity'], /^\d+\.\d{8}$/],
  'crypto prices have 8 decimals': [() => shown.trade['price'], /^\d+\.\d{8}$/],
  'wallet balances are sent with 8 decimals': [() => shown.wallet['lastBalance'], /^\d+\.\d{8}$/],
  'total return has 2 decimals on the wire (decision 8)': [
    () => shown.bot['totalReturn'],
    /^-?\d+\.\d{2}$/,
  ],
}

rows(
  '9 Precision',
  Object.fromEntries(
    Object.entries(PRECISION).map(([what, [read, pattern]]) => [
      what,
      () => equals(read(), like(pattern)),
    ]),
  ),
)

const network = (chainId: number, chainName: string, coin: string | null) => async () => {
  const linked = await linkOn(await world.user(), chainId)
  equals([linked['chainName'], linked['coin']], [chainName, coin])
}

rows('9 Networks', {
  '1 is Ethereum, its coin ETH (decision 26)': network(1, 'Ethereum', 'ETH'),
  '56 is Binance Smart Chain, its coin BNB (decision 26)': network(
    56,
    'Binance Smart Chain',
    'BNB',
  ),
  '137 is Polygon, its coin POL (decision 26)': network(137, 'Polygon', 'POL'),
  '42161 is Arbitrum, its coin ETH (decision 26)': network(42_161, 'Arbitrum', 'ETH'),
  "any other is 'Unknown Chain', without a balance (decision 26)": network(
    10,
    'Unknown Chain',
    null,
  ),
})

rows('9 Fee', {
  'the platform fee is 15.00 % by default': async () =>
    equals((await world.stranger().call('getConfig')).feePercentage, '15.00'),
})
