import type { Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect } from 'vitest'
import { startAnvil, type Anvil } from '../chain/anvil.ts'
import {
  injectWallets,
  tellWallet,
  walletCalls,
  type InjectedWallet,
} from '../browser/injected-wallets.ts'
import { createWorld } from '../world/world.ts'
import { answering, FAULT, holding } from './answers.ts'
import {
  becomes,
  button,
  disabled,
  enabled,
  equals,
  heading,
  link,
  press,
  steps,
  text,
  type Check,
} from './checks.ts'
import { openProduct, type Product } from './product.ts'
import { asked, listen } from './requests.ts'
import { screen } from './rows.ts'
import { destructive, toast } from './toasts.ts'

let product: Product
let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 1 })
  product = await openProduct(createWorld({ config: { RPC_URLS: { 1: anvil.url } } }))
})
afterAll(async () => {
  await product.close()
  await anvil.stop()
})

const key = privateKeyToAccount(generatePrivateKey())
const SHORT = `${key.address.slice(0, 6)}...${key.address.slice(-4)}`
const METAMASK: InjectedWallet = {
  name: 'MetaMask',
  rdns: 'io.metamask',
  address: key.address,
  isMetaMask: true,
}

/** Opens the profile in a browser with this wallet, or with none. */
async function openWith(wallet?: Partial<InjectedWallet>): Promise<Page> {
  const before = async (page: Page) => {
    await page.exposeFunction('signWith', (_address: string, message: string) =>
      key.signMessage({ message: { raw: message as `0x${string}` } }),
    )
    if (wallet) await injectWallets(page, [{ ...METAMASK, ...wallet }])
  }
  return product.open('/profile', await product.world.user(), {
    before,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
}

/** Opens the profile with a wallet that reveals no account. */
async function openWithoutAccounts(): Promise<Page> {
  const noAccounts = () => Object.assign(window, { ethereum: { request: async () => [] } })
  return product.open('/profile', await product.world.user(), {
    before: (page) => page.addInitScript(noAccounts),
  })
}

const VERIFY = 'POST /api/crypto-wallets/verify'
const NONCE = 'GET /api/crypto-wallets/nonce'
const EXPIRED = {
  status: 422,
  json: {
    code: 'wallet-nonce-expired',
    message: 'This verification has expired. Please start again.',
  },
}
const heard: string[][] = []
const connect = press('Connect MetaMask')
const sign = press('Sign & Verify Wallet')
const row = (page: Page) => page.getByRole('listitem').filter({ hasText: SHORT })
const inRow =
  (words: string | RegExp): Check =>
  (page) =>
    row(page).getByText(words).first().waitFor()

screen(() => openWith(), {
  '2 Wallet panel, no wallet': {
    "'Connect MetaMask' is disabled when there is no wallet": disabled('Connect MetaMask'),
    'an install hint shows': link('Install MetaMask', 'https://metamask.io/download/'),
    "'Connected Wallets'": heading('Connected Wallets'),
    "'No wallets connected yet'": text('No wallets connected yet'),
  },
  '5 Wallet': {
    ["without a wallet: 'MetaMask not found' / 'Please install MetaMask browser " +
    "extension to connect your wallet.'"]: steps(
      press('Search again'),
      destructive(
        'MetaMask not found',
        'Please install MetaMask browser extension to connect your wallet.',
      ),
    ),
  },
})

screen(openWithoutAccounts, {
  '5 Wallet': {
    "an empty account list: 'No accounts found'": steps(
      connect,
      destructive('Connection failed', 'No accounts found'),
    ),
  },
})

screen(() => openWith({ connect: 'silence' }), {
  '2 Wallet panel, connecting': {
    "'Connect MetaMask' is enabled when there is a wallet": enabled('Connect MetaMask'),
    "'Connect MetaMask' is disabled while connecting": steps(connect, disabled('Connect MetaMask')),
  },
})

screen(() => openWith({ connect: -32_099 }), {
  '8 Errors': {
    "Connection failed: 'Failed to connect to MetaMask.'": steps(
      connect,
      destructive('Connection failed', 'Failed to connect to MetaMask.'),
    ),
  },
})

screen(() => openWith({ sign: -32_099 }), {
  '8 Errors': {
    "Verification failed: 'Failed to verify wallet ownership. Please try again.'": steps(
      connect,
      sign,
      destructive('Verification failed', 'Failed to verify wallet ownership. Please try again.'),
    ),
  },
})

const turnsTo = (chainId: string, name: string): Check =>
  steps(
    (page) => tellWallet(page, { name: 'MetaMask', event: 'chainChanged', news: chainId }),
    text(name),
  )

screen(() => openWith({}), {
  '7 Wallet in the browser': {
    'the wallet is asked for its accounts through its account request method': steps(
      connect,
      async (page) =>
        equals((await walletCalls(page)).includes('MetaMask eth_requestAccounts'), true),
    ),
  },
  '2 Wallet panel, detected': {
    'shortened address: the first 6 and the last 4 characters': text(SHORT),
    "copy-address button: toast 'Address copied'": steps(
      press('Copy address'),
      toast('Address copied'),
    ),
    'the address is copied whole': async (page) =>
      equals(await page.evaluate(() => navigator.clipboard.readText()), key.address),
    'network name': text('Ethereum'),
    'a note that the balance is fetched after verification': text(
      'Your balance is fetched after verification.',
    ),
    "button 'Sign & Verify Wallet'": button('Sign & Verify Wallet'),
    "button 'Cancel'": button('Cancel'),
  },
  '9 Networks, shown': {
    '56 is Binance Smart Chain': turnsTo('0x38', 'Binance Smart Chain'),
    '137 is Polygon': turnsTo('0x89', 'Polygon'),
    '42161 is Arbitrum': turnsTo('0xa4b1', 'Arbitrum'),
    "any other is 'Unknown Chain'": turnsTo('0xa', 'Unknown Chain'),
    '1 is Ethereum': turnsTo('0x1', 'Ethereum'),
  },
  '4 Wallet flow': {
    "'Cancel' returns to the start": steps(press('Cancel'), button('Connect MetaMask')),
  },
  '8 Errors': {
    "Verification failed: the error's message": steps(
      connect,
      answering(VERIFY, EXPIRED, sign, destructive('Verification failed', EXPIRED.json.message)),
    ),
    "Verification failed: 'Failed to complete wallet verification.'": answering(
      VERIFY,
      FAULT,
      sign,
      destructive('Verification failed', 'Failed to complete wallet verification.'),
    ),
  },
  '7 Calls': {
    ['POST /api/crypto-wallets/verify: walletAddress, signature, message, ' +
    'walletType (metamask), chainId, chainName']: async (page) => {
      const request = asked(page, VERIFY)
      await answering(VERIFY, FAULT, sign, destructive('Verification failed'))(page)
      const signature = expect.stringMatching(/^0x[0-9a-f]{130}$/) as unknown
      const message = expect.stringContaining(key.address) as unknown
      equals((await request).postDataJSON(), {
        walletAddress: key.address,
        signature,
        message,
        walletType: 'metamask',
        chainId: 1,
        chainName: 'Ethereum',
      })
    },
  },
  '2 Wallet panel, verifying': {
    "'Sign & Verify' asks the server for a message: 'Getting verification...'": steps(
      (page) =>
        anvil
          .send('anvil_setBalance', [key.address, '0x112210f4768db3ff'])
          .then(() => void heard.push(listen(page))),
      holding(
        VERIFY,
        holding(NONCE, sign, button('Getting verification...')),
        button('Verifying ownership...'),
      ),
    ),
    'the wallet signs it': async (page) =>
      equals((await walletCalls(page)).includes('MetaMask personal_sign'), true),
  },
  '8 Successes': {
    ["'Wallet verified successfully': 'Your crypto wallet has been securely linked " +
    "to your account.'"]: toast(
      'Wallet verified successfully',
      'Your crypto wallet has been securely linked to your account.',
    ),
  },
  '4 Wallet flow, verified': {
    'the pending holder is cleared': button('Connect MetaMask'),
    'the wallet list is refetched': () =>
      becomes(() => heard[0]?.includes('GET /api/crypto-wallets'), true),
  },
  '2 Wallet panel, Connected Wallets': {
    'wallet type': inRow('MetaMask'),
    'Connected badge': inRow(/^Connected$/),
    address: inRow(SHORT),
    network: inRow(/Ethereum/),
    'last balance to 6 decimals in ETH': inRow('1.234567 ETH'),
    'disconnect button': button(`Disconnect ${SHORT}`),
    'refresh-balance button': button(`Refresh balance of ${SHORT}`),
  },
  '8 Errors, linked': {
    "Balance refresh failed: 'Failed to fetch wallet balance from blockchain.'": answering(
      'GET /api/crypto-wallets/{id}/balance',
      FAULT,
      press(`Refresh balance of ${SHORT}`),
      destructive('Balance refresh failed', 'Failed to fetch wallet balance from blockchain.'),
    ),
    "Disconnection failed: 'Failed to disconnect wallet. Please try again.'": answering(
      'POST /api/crypto-wallets/{id}/disconnect',
      FAULT,
      press(`Disconnect ${SHORT}`),
      destructive('Disconnection failed', 'Failed to disconnect wallet. Please try again.'),
    ),
  },
  '8 Successes, linked': {
    "'Balance updated': 'Current balance: {n} ETH'": steps(
      () => anvil.send('anvil_setBalance', [key.address, '0x1bc16d674ec80000']),
      press(`Refresh balance of ${SHORT}`),
      toast('Balance updated', 'Current balance: 2.000000 ETH'),
    ),
    'the refreshed balance stands in the list': inRow('2.000000 ETH'),
    "'Wallet disconnected': 'Your crypto wallet has been unlinked from your account.'": steps(
      press(`Disconnect ${SHORT}`),
      toast('Wallet disconnected', 'Your crypto wallet has been unlinked from your account.'),
    ),
  },
  '4 Wallet flow, disconnected': {
    'Disconnected badge: the list was refetched': inRow(/^Disconnected$/),
    'a disconnected wallet has no buttons': (page) =>
      becomes(() => row(page).getByRole('button').count(), 0),
  },
})
