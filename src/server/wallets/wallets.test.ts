import { keccak256, stringToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type TestUser, type World } from '../../../test/world/world.ts'

let world: World
/** The server's clock, moved by tests. */
let nowMs = Date.parse('2026-11-21T12:00:00.000Z')
const MINUTE_MS = 60_000
const balances = new Map<string, bigint>()

beforeAll(async () => {
  const real = await createWorld()
  await real.close()
  const { chain } = real.context
  const balanceOf = async ({ address, chainId }: { address: string; chainId: number }) =>
    balances.get(`${chainId}:${address}`) ?? chain.balanceOf({ address, chainId })
  world = await createWorld({
    context: { now: () => new Date(nowMs), chain: { ...chain, balanceOf } },
  })
})
afterAll(() => world.close())

const OTHER_ADDRESS = privateKeyToAccount(generatePrivateKey()).address
/**
 * A key whose address has a capital letter, so that its lower-case form differs; one address in
 * 4,000 has none.
 */
function newKey(): PrivateKeyAccount {
  const key = privateKeyToAccount(generatePrivateKey())
  return key.address === key.address.toLowerCase() ? newKey() : key
}

type Attempt = {
  key?: PrivateKeyAccount
  chainId?: number
  walletType?: string
  tamper?: (message: string) => string
  body?: object
}

/**
 * Requests a nonce, signs and verifies, as the app does. `tamper` changes the message before it is
 * signed.
 */
async function link(
  user: TestUser,
  {
    key = newKey(),
    chainId = 1,
    walletType = 'metamask',
    tamper = (message) => message,
    body = {},
  }: Attempt = {},
) {
  const { message: made } = await user.call('getWalletNonce', {
    query: { walletAddress: key.address, chainId: String(chainId) },
  })
  const message = tamper(made)
  const signature = await key.signMessage({ message })
  return user.ask('verifyWallet', {
    body: {
      walletAddress: key.address,
      signature,
      message,
      walletType,
      chainId,
      chainName: 'Ethereum',
      ...body,
    },
  })
}

test('a wallet is linked by its signature over a message with our domain and address', async () => {
  const user = await world.user()
  const key = newKey()
  const query = { walletAddress: key.address.toLowerCase(), chainId: '137' }
  const { nonce, message, expiresAt } = await user.call('getWalletNonce', { query })
  expect(message).toContain(
    `localhost wants you to sign in with your Ethereum account:\n${key.address}\n`,
  )
  expect(message).toContain(`Chain ID: 137\nNonce: ${nonce}\n`)
  expect(expiresAt).toBe(new Date(nowMs + 10 * MINUTE_MS).toISOString())
  const signature = await key.signMessage({ message })
  const body = {
    walletAddress: key.address.toLowerCase(),
    signature,
    message,
    walletType: 'metamask',
    chainId: 137,
    chainName: 'whatever it says',
  }
  const linked = await user.call('verifyWallet', { body })
  expect(linked).toMatchObject({
    walletAddress: key.address,
    walletType: 'metamask',
    chainId: 137,
    chainName: 'Polygon',
    coin: 'POL',
    isConnected: true,
  })
  expect(linked).toMatchObject({ lastBalance: '0.00000000', lastBalanceCheck: null })
  expect(await user.call('listWallets')).toEqual([linked])
  expect(await (await world.user()).call('listWallets')).toEqual([])
})

test('a nonce is valid once, for the wallet that signs, its address and its chain', async () => {
  const user = await world.user()
  const key = newKey()
  const { nonce, message: form, expiresAt } = await user.call('getWalletNonce')
  expect(expiresAt).toBe(new Date(nowMs + 10 * MINUTE_MS).toISOString())
  expect(form).toContain(`Ethereum account:\n{address}\n`)
  expect(form).toContain(`Chain ID: {chainId}\nNonce: ${nonce}\n`)
  const message = form.replace('{address}', key.address).replace('{chainId}', '137')
  const body = {
    walletAddress: key.address,
    signature: await key.signMessage({ message }),
    message,
    walletType: 'metamask',
    chainId: 137,
    chainName: '',
  }
  expect(await user.ask('verifyWallet', { body })).toMatchObject({
    status: 201,
    body: { walletAddress: key.address, chainId: 137, chainName: 'Polygon' },
  })
  expect(await user.ask('verifyWallet', { body })).toMatchObject({
    status: 409,
    body: { code: 'wallet-nonce-used' },
  })
})

test.each([
  ['walletAddress', { walletAddress: OTHER_ADDRESS }],
  ['chainId', { chainId: 56 }],
])(
  'a nonce requested without a wallet: another %s in the body than in the message is refused',
  async (_field, other) => {
    const user = await world.user()
    const key = newKey()
    const { message: form } = await user.call('getWalletNonce')
    const message = form.replace('{address}', key.address).replace('{chainId}', '1')
    const body = {
      walletAddress: key.address,
      signature: await key.signMessage({ message }),
      message,
      walletType: 'metamask',
      chainId: 1,
      chainName: '',
      ...other,
    }
    expect(await user.ask('verifyWallet', { body })).toMatchObject({
      status: 422,
      body: { code: 'wallet-message-invalid' },
    })
  },
)

test('a nonce may be bound to only an address or only a chain', async () => {
  const user = await world.user()
  const key = newKey()
  expect(
    (await user.call('getWalletNonce', { query: { walletAddress: key.address } })).message,
  ).toMatch(new RegExp(`${key.address}[^]*Chain ID: {chainId}`))
  const { message: form } = await user.call('getWalletNonce', { query: { chainId: '56' } })
  const message = form.replace('{address}', key.address)
  const body = {
    walletAddress: key.address,
    signature: await key.signMessage({ message }),
    message,
    walletType: 'metamask',
    chainId: 1,
    chainName: '',
  }
  expect(await user.ask('verifyWallet', { body }), 'on another chain').toMatchObject({
    status: 422,
    body: { field: 'chainId' },
  })
  expect(await user.ask('getWalletNonce', { query: { walletAddress: '0x12' } })).toMatchObject({
    status: 422,
    body: { code: 'wallet-address-invalid' },
  })
})

test.each(['cross-site', 'same-site', 'sometimes'])(
  'a nonce, a balance or a proof file requested by another site (%s) is refused',
  async (site) => {
    const user = await world.user()
    const { id } = (await link(user)).body
    for (const url of [
      '/api/crypto-wallets/nonce',
      `/api/crypto-wallets/${id}/balance`,
      '/api/evidence/bots/bundle',
    ]) {
      const answer = await world.app.inject({
        url,
        headers: { 'sec-fetch-site': site, cookie: user.cookie },
      })
      expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'cross-site' }])
    }
    const foreign = await world.app.inject({
      url: '/api/crypto-wallets/nonce',
      headers: { origin: 'https://evil.example', cookie: user.cookie },
    })
    expect(foreign.statusCode).toBe(403)
    expect(
      (
        await world.app.inject({
          url: '/api/crypto-wallets/nonce',
          headers: { cookie: user.cookie },
        })
      ).statusCode,
      'an older browser',
    ).toBe(200)
  },
)

test('PUBLIC_URL determines the site in the message, whatever host a request names', async () => {
  const config = { ...world.context.config, PUBLIC_URL: 'https://bots.example:8443/app/' }
  const { message } = await (
    await import('./get-wallet-nonce.ts')
  ).getWalletNonce({ ...world.context, config }, {
    userId: (await world.user()).id,
    query: { walletAddress: newKey().address, chainId: 1 },
    client: { address: '', userAgent: '', origin: 'https://evil.example' },
  } as never)
  expect(message).toMatch(/^bots\.example:8443 wants you/)
  expect(message).toContain('\nURI: https://bots.example:8443\n')
})

test.each([
  'listWallets',
  'getWalletNonce',
  'verifyWallet',
  'disconnectWallet',
  'getWalletBalance',
] as const)('%s needs a sign-in', async (name) => {
  const id = world.context.newId()
  expect(await world.stranger().ask(name, { params: { id } })).toMatchObject({
    status: 401,
    body: { code: 'not-signed-in' },
  })
})

const OTHER = privateKeyToAccount(generatePrivateKey()).address

test.each<[string, (message: string) => string, string]>([
  [
    'a port more',
    (message) => message.replace('localhost wants', 'localhost:8080 wants'),
    'another domain',
  ],
  [
    'a name below ours',
    (message) => message.replace('localhost wants', 'evil.localhost wants'),
    'another domain',
  ],
  [
    'a scheme before the domain',
    (message) => message.replace('localhost wants', 'http://localhost wants'),
    'another domain',
  ],
  ['the URI under TLS', (message) => message.replace('URI: http:', 'URI: https:'), 'another URI'],
  [
    'a path behind the URI',
    (message) => message.replace('URI: http://localhost', 'URI: http://localhost/admin'),
    'another URI',
  ],
  [
    'a zero before the chain',
    (message) => message.replace('Chain ID: 1', 'Chain ID: 01'),
    'another chain ID',
  ],
  [
    'the address in small letters',
    (message) => message.replace(/0x[0-9a-fA-F]{40}/, (address) => address.toLowerCase()),
    'another address',
  ],
  [
    'a shorter nonce',
    (message) => message.replace(/Nonce: (.{8}).*/, 'Nonce: $1'),
    'no longer open',
  ],
  [
    'the nonce in capitals',
    (message) => message.replace(/Nonce: .*/, (line) => `Nonce: ${line.slice(7).toUpperCase()}`),
    'no longer open',
  ],
  [
    'a later issued-at time',
    (message) => message.replace(/Issued At: .*/, 'Issued At: 2099-01-01T00:00:00.000Z'),
    'another issued-at time',
  ],
  [
    'the issue in another zone',
    (message) => message.replace(/(Issued At: .*)Z/, '$1+00:00'),
    'another issued-at time',
  ],
  [
    'no expiration',
    (message) => message.replace(/\nExpiration Time: .*/, ''),
    'not the one we made',
  ],
  ['another version', (message) => message.replace('Version: 1', 'Version: 2'), 'another version'],
  [
    'another statement',
    (message) => message.replace('moves no money', 'moves all money'),
    'another statement',
  ],
  [
    'resources at the end',
    (message) => `${message}\nResources:\n- https://evil.example`,
    'not the one we made',
  ],
  ['text before it', (message) => `I owe you a bitcoin.\n${message}`, 'not the one we made'],
  ['a line break at the end', (message) => `${message}\n`, 'not the one we made'],
  [
    'the domain',
    (message) => message.replace('localhost wants', 'evil.example wants'),
    'another domain',
  ],
  [
    'the URI',
    (message) => message.replace('URI: http://localhost', 'URI: http://evil.example'),
    'another URI',
  ],
  ['the chain', (message) => message.replace('Chain ID: 1', 'Chain ID: 56'), 'another chain ID'],
  ['the address', (message) => message.replace(/0x[0-9a-fA-F]{40}/, OTHER), 'another address'],
  [
    'the nonce',
    (message) => message.replace(/Nonce: .*/, `Nonce: ${'a'.repeat(32)}`),
    'no longer open',
  ],
  [
    'the issued-at time',
    (message) => message.replace(/Issued At: .*/, 'Issued At: 2020-01-01T00:00:00.000Z'),
    'another issued-at time',
  ],
  [
    'the expiration',
    (message) =>
      message.replace(/Expiration Time: .*/, 'Expiration Time: 2099-01-01T00:00:00.000Z'),
    'another expiration time',
  ],
  [
    'the prefix',
    (message) => message.replace('wants you to sign in', 'asks you to sign'),
    'not the one we made',
  ],
])(
  'a message with %s changed is refused although its signature is good',
  async (_field, tamper, sentence) => {
    const user = await world.user()
    const { status, body } = await link(user, { tamper })
    expect({ status, message: body.message }).toEqual({
      status: 422,
      message: expect.stringContaining(sentence),
    })
    expect(await user.call('listWallets')).toEqual([])
  },
)

test('the body cannot name another address or chain than the message', async () => {
  const user = await world.user()
  expect(await link(user, { body: { walletAddress: OTHER } })).toMatchObject({
    status: 422,
    body: { field: 'walletAddress' },
  })
  expect(await link(user, { body: { chainId: 56 } })).toMatchObject({
    status: 422,
    body: { field: 'chainId' },
  })
})

test('a signature by another key is refused with the sentence of the specification', async () => {
  const user = await world.user()
  const key = newKey()
  const { message } = await user.call('getWalletNonce', {
    query: { walletAddress: key.address, chainId: '1' },
  })
  const signature = await newKey().signMessage({ message })
  const body = {
    walletAddress: key.address,
    signature,
    message,
    walletType: 'metamask',
    chainId: 1,
    chainName: 'Ethereum',
  }
  const refused = {
    status: 422,
    body: { message: 'Failed to verify wallet ownership. Please try again.' },
  }
  expect(await user.ask('verifyWallet', { body })).toMatchObject(refused)
  expect(await link(user, { body: { signature: `0x${'00'.repeat(65)}` } })).toMatchObject(refused)
})

test('a message signed without the prefix of EIP-191 is refused', async () => {
  const user = await world.user()
  const key = newKey()
  const { message } = await user.call('getWalletNonce', {
    query: { walletAddress: key.address, chainId: '1' },
  })
  const signature = await key.sign({ hash: keccak256(stringToHex(message)) })
  const body = {
    walletAddress: key.address,
    signature,
    message,
    walletType: 'metamask',
    chainId: 1,
    chainName: 'Ethereum',
  }
  expect(await user.ask('verifyWallet', { body })).toMatchObject({
    status: 422,
    body: { code: 'wallet-signature-invalid' },
  })
})

test('the malleated form of a valid signature (high s) is refused', async () => {
  const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const user = await world.user()
  const key = newKey()
  const { message } = await user.call('getWalletNonce', {
    query: { walletAddress: key.address, chainId: '1' },
  })
  const good = await key.signMessage({ message })
  const s = (ORDER - BigInt(`0x${good.slice(66, 130)}`)).toString(16).padStart(64, '0')
  const mirrored = `${good.slice(0, 66)}${s}${good.endsWith('1b') ? '1c' : '1b'}`
  const body = {
    walletAddress: key.address,
    signature: mirrored,
    message,
    walletType: 'metamask',
    chainId: 1,
    chainName: 'Ethereum',
  }
  expect(await user.ask('verifyWallet', { body })).toMatchObject({
    status: 422,
    body: { code: 'wallet-signature-invalid' },
  })
})

test('a nonce is valid once, only for its user, and for ten minutes', async () => {
  const [user, other] = [await world.user(), await world.user()]
  const key = newKey()
  const ask = async () => {
    const { message } = await user.call('getWalletNonce', {
      query: { walletAddress: key.address, chainId: '1' },
    })
    return {
      walletAddress: key.address,
      signature: await key.signMessage({ message }),
      message,
      walletType: 'metamask',
      chainId: 1,
      chainName: 'Ethereum',
    }
  }
  const body = await ask()
  expect(await other.ask('verifyWallet', { body })).toMatchObject({
    status: 422,
    body: { code: 'wallet-nonce-unknown' },
  })
  expect(await user.ask('verifyWallet', { body })).toMatchObject({ status: 201 })
  expect(await user.ask('verifyWallet', { body })).toMatchObject({
    status: 409,
    body: { code: 'wallet-nonce-used' },
  })
  const late = await ask()
  nowMs += 10 * MINUTE_MS
  expect(await user.ask('verifyWallet', { body: late })).toMatchObject({
    status: 422,
    body: { code: 'wallet-nonce-expired' },
  })
})

test('a user has at most five open nonces: the oldest are dropped', async () => {
  const user = await world.user()
  const query = { walletAddress: newKey().address, chainId: '1' }
  await Promise.all(Array.from({ length: 8 }, () => user.call('getWalletNonce', { query })))
  const rows = await world.context.sql`select from wallet_nonces where user_id = ${user.id}`
  expect(rows.length).toBe(5)
})

test('a wallet verified eight times concurrently is linked once', async () => {
  const user = await world.user()
  const key = newKey()
  const { message } = await user.call('getWalletNonce', {
    query: { walletAddress: key.address, chainId: '1' },
  })
  const body = {
    walletAddress: key.address,
    signature: await key.signMessage({ message }),
    message,
    walletType: 'metamask',
    chainId: 1,
    chainName: 'Ethereum',
  }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => user.ask('verifyWallet', { body })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([
    201,
    ...Array.from({ length: 7 }, () => 409),
  ])
  expect((await user.call('listWallets')).length).toBe(1)
})

test('a connected address has one user; once disconnected, it can be linked again', async () => {
  const [first, second] = [await world.user(), await world.user()]
  const key = newKey()
  const { body: linked } = await link(first, { key })
  expect(await link(second, { key })).toMatchObject({
    status: 409,
    body: { code: 'wallet-linked-elsewhere' },
  })
  const disconnected = await first.call('disconnectWallet', { params: { id: linked.id } })
  expect(disconnected).toMatchObject({
    isConnected: false,
    disconnectedAt: new Date(nowMs).toISOString(),
  })
  expect(await first.call('disconnectWallet', { params: { id: linked.id } })).toEqual(disconnected)
  expect(await link(second, { key })).toMatchObject({ status: 201 })
  expect(await link(first, { key })).toMatchObject({
    status: 409,
    body: { code: 'wallet-linked-elsewhere' },
  })
})

test('if several users link one address concurrently, one of them gets it', async () => {
  const key = newKey()
  const users = await Promise.all([world.user(), world.user(), world.user()])
  const answers = await Promise.all(users.map((user) => link(user, { key })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
})

test('linking again reactivates the row, with the new chain and wallet type', async () => {
  const user = await world.user()
  const key = newKey()
  const { body: before } = await link(user, { key })
  await user.call('disconnectWallet', { params: { id: before.id } })
  const { body: after } = await link(user, { key, chainId: 42_161, walletType: 'Rabby Wallet' })
  expect(after).toMatchObject({
    id: before.id,
    isConnected: true,
    disconnectedAt: null,
    chainName: 'Arbitrum',
    walletType: 'Rabby Wallet',
  })
  expect(await user.call('listWallets')).toEqual([after])
})

test("another user's wallet is not found", async () => {
  const { body: wallet } = await link(await world.user())
  const other = await world.user()
  for (const name of ['disconnectWallet', 'getWalletBalance'] as const) {
    expect(await other.ask(name, { params: { id: wallet.id } })).toMatchObject({
      status: 404,
      body: { code: 'not-found' },
    })
    expect(await other.ask(name, { params: { id: 'nonsense' } })).toMatchObject({ status: 404 })
  }
})

test("a balance is stored in the chain's own coin, rounded down to eight decimals", async () => {
  const user = await world.user()
  const key = newKey()
  balances.set(`56:${key.address}`, 1_234_567_899_999_999_999n)
  const { body: wallet } = await link(user, { key, chainId: 56 })
  const checkedAt = new Date(nowMs).toISOString()
  expect(await user.call('getWalletBalance', { params: { id: wallet.id } })).toEqual({
    balance: '1.23456789',
    coin: 'BNB',
    checkedAt,
  })
  expect(await user.call('listWallets')).toMatchObject([
    { lastBalance: '1.23456789', coin: 'BNB', lastBalanceCheck: checkedAt },
  ])
  balances.set(`56:${key.address}`, 2n ** 256n - 1n)
  await user.call('getWalletBalance', { params: { id: wallet.id } })
  expect((await user.call('listWallets'))[0]?.lastBalance).toMatch(/^\d{60}\.\d{8}$/)
})

test('without chain access, a known chain or a connection there is no balance', async () => {
  const user = await world.user()
  const { body: wallet } = await link(user)
  const params = { id: wallet.id }
  const unconfigured = "Balances on this network aren't set up yet."
  expect(await user.ask('getWalletBalance', { params })).toMatchObject({
    status: 503,
    body: { message: unconfigured },
  })
  await user.call('disconnectWallet', { params })
  expect(await user.ask('getWalletBalance', { params })).toMatchObject({
    status: 409,
    body: { code: 'wallet-disconnected' },
  })
  const { body: unknown } = await link(user, { chainId: 10 })
  expect(unknown).toMatchObject({ chainName: 'Unknown Chain', coin: null })
  expect(await user.ask('getWalletBalance', { params: { id: unknown.id } })).toMatchObject({
    status: 422,
    body: { code: 'chain-unknown' },
  })
})

test.each([
  ['0x1234', 'too short'],
  ['0xF39fd6e51aad88F6F4ce6aB8827279cffFb92266', 'a wrong checksum'],
  ['f39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 'no prefix'],
])('%s is no address: %s', async (walletAddress) => {
  const user = await world.user()
  const answer = await user.ask('getWalletNonce', { query: { walletAddress, chainId: '1' } })
  expect(answer).toMatchObject({
    status: 422,
    body: { code: 'wallet-address-invalid', field: 'walletAddress' },
  })
})

test.each(['0', '-1', '1.5', '0x1', '99999999999999999', ''])(
  'chain "%s" is refused',
  async (chainId) => {
    const user = await world.user()
    expect(
      await user.ask('getWalletNonce', { query: { walletAddress: OTHER, chainId } }),
    ).toMatchObject({ status: 400, body: { field: 'chainId' } })
  },
)

test('twenty wallets can be connected, but not twenty-one', async () => {
  const user = await world.user()
  const keys = Array.from({ length: 21 }, newKey)
  const statuses: number[] = []
  for (const key of keys) statuses.push((await link(user, { key })).status)
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 422])
})
