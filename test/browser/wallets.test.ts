import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAnvil, type Anvil } from '../chain/anvil.ts'
import { deployContractWallet } from '../chain/contract-wallet.ts'
import {
  makeDataDir,
  removeDataDir,
  startServer,
  type RunningServer,
} from '../process/running-server.ts'
import { newReadyPage } from '../spec/product.ts'
import { launchBrowser, PHONE } from './chromium.ts'
import { injectWallets, tellWallet, walletCalls, type InjectedWallet } from './injected-wallets.ts'

let server: RunningServer
let browser: Browser
let context: BrowserContext
let anvil: Anvil

const keys = Array.from({ length: 5 }, () => privateKeyToAccount(generatePrivateKey()))
const addresses = keys.map(({ address }) => address)
const [ADDRESS = '', POSED = '', OTHER = '', CHOSEN = '', LEGACY = ''] = addresses
const short = (address: string) => `${address.slice(0, 6)}...${address.slice(-4)}`
/** Contract wallets: the first is owned by a test key, the second by somebody else. */
const [CONTRACT, FOREIGN_CONTRACT] = [`0x${'c1'.repeat(20)}`, `0x${'c2'.repeat(20)}`]
const METAMASK: InjectedWallet = {
  name: 'MetaMask',
  rdns: 'io.metamask',
  address: ADDRESS,
  isMetaMask: true,
}

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 1 })
  const env = { RPC_URLS: `1=${anvil.url}`, MARKET_SPEED: '0' }
  ;[server, browser] = await Promise.all([
    startServer({ dataDir: await makeDataDir(), env }),
    launchBrowser(),
  ])
  context = await browser.newContext({
    ...PHONE,
    baseURL: server.url,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const body = {
    username: 'ada',
    password: 'a long password',
    firstName: 'Ada',
    lastName: 'Lovelace',
  }
  const answer = await context.request.post('/api/auth/signup', {
    data: body,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  if (answer.status() !== 201) throw new Error(`sign-up failed: ${await answer.text()}`)
  const sign = async (address: string, message: string) => {
    const isContract = address === CONTRACT || address === FOREIGN_CONTRACT
    const key = isContract
      ? keys[0]
      : keys.find((one) => one.address.toLowerCase() === address.toLowerCase())
    return key?.signMessage({ message: { raw: message as `0x${string}` } })
  }
  await context.exposeFunction('signWith', sign)
})

afterAll(async () => {
  await browser.close()
  await Promise.all([server.stop(), anvil.stop()])
  await removeDataDir(server.dataDir)
})

/** Opens the profile in a browser with these wallets. */
async function openProfile(wallets: readonly InjectedWallet[]): Promise<Page> {
  const page = await newReadyPage(context, { isSignedIn: true })
  await injectWallets(page, wallets)
  await page.goto('/profile')
  await page.getByRole('heading', { name: 'Connected Wallets' }).waitFor()
  return page
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const connect = (page: Page) => button(page, 'Connect MetaMask')
const signAndVerify = (page: Page) => button(page, 'Sign & Verify Wallet')
const toast = (page: Page, text: string) => page.getByText(text).first().waitFor()

async function connectAndSign(page: Page): Promise<void> {
  await connect(page).click()
  await signAndVerify(page).click()
}

async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  )
}

test('without a wallet the button is disabled, and a hint offers to search again', async () => {
  const page = await openProfile([])
  expect(await connect(page).isDisabled()).toBe(true)
  const reason = await connect(page).getAttribute('aria-describedby')
  expect(await page.locator(`#${reason}`).textContent()).toMatch(
    /^No wallet was found in this browser\. Install MetaMask/,
  )
  expect(await page.getByRole('link', { name: 'Install MetaMask' }).getAttribute('href')).toBe(
    'https://metamask.io/download/',
  )
  await page.getByText('No wallets connected yet').waitFor()
  expect(await findings(page)).toEqual([])
  await button(page, 'Search again').click()
  await toast(page, 'MetaMask not found')
  await toast(page, 'Please install MetaMask browser extension to connect your wallet.')
  await page.evaluate(() => Object.assign(window, { ethereum: { request: async () => [] } }))
  await button(page, 'Search again').click()
  await page.getByText('Found in this browser: Browser wallet').waitFor()
  expect(await connect(page).isEnabled()).toBe(true)
  await page.close()
})

test('a wallet found only in window.ethereum can be connected, verified and copied', async () => {
  const address = LEGACY.toLowerCase()
  const page = await openProfile([{ name: 'legacy', address, isMetaMask: true }])
  await connect(page).click()
  await page.getByText(short(address)).waitFor()
  await page.getByText('Ethereum', { exact: true }).waitFor()
  await page.getByText('Your balance is fetched after verification.').waitFor()
  expect(await findings(page)).toEqual([])
  await button(page, 'Copy address').click()
  await toast(page, 'Address copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
  await signAndVerify(page).click()
  await toast(page, 'Wallet verified successfully')
  await page
    .getByRole('listitem')
    .filter({ hasText: short(LEGACY) })
    .getByText('MetaMask')
    .waitFor()
  await page.close()
})

test('of two announced wallets only the chosen one gets requests', async () => {
  await anvil.send('anvil_setBalance', [CHOSEN, '0x112210f4768db3ff'])
  const page = await openProfile([
    METAMASK,
    { name: 'Rabby Wallet', rdns: 'io.rabby', address: CHOSEN },
    { name: 'legacy', address: OTHER },
  ])
  await connect(page).click()
  await expect
    .poll(() =>
      page.getByRole('list', { name: 'Choose a wallet' }).getByRole('button').allTextContents(),
    )
    .toEqual(['MetaMask io.metamask', 'Rabby Wallet io.rabby'])
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: 'Rabby Wallet' }).click()
  await signAndVerify(page).click()
  await toast(page, 'Wallet verified successfully')
  await toast(page, 'Your crypto wallet has been securely linked to your account.')
  const row = page.getByRole('listitem').filter({ hasText: short(CHOSEN) })
  await row.getByText('Rabby Wallet').waitFor()
  await row.getByText('Connected', { exact: true }).waitFor()
  await row.getByText('1.234567 ETH').waitFor()
  expect(
    new Set(
      (await walletCalls(page)).map((called) => called.split(' eth_')[0]?.split(' personal_')[0]),
    ),
  ).toEqual(new Set(['Rabby Wallet']))
  expect(await findings(page)).toEqual([])
  await anvil.send('anvil_setBalance', [CHOSEN, '0x1bc16d674ec80000'])
  await row.getByRole('button', { name: 'Refresh balance' }).click()
  await toast(page, 'Balance updated')
  await toast(page, 'Current balance: 2.000000 ETH')
  await row.getByRole('button', { name: 'Disconnect' }).click()
  await toast(page, 'Wallet disconnected')
  await row.getByText('Disconnected', { exact: true }).waitFor()
  expect(await row.getByRole('button').count()).toBe(0)
  await page.close()
})

test('a contract wallet is linked only by its owner’s signature (EIP-1271)', async () => {
  await deployContractWallet(anvil, { address: CONTRACT, owner: ADDRESS })
  await deployContractWallet(anvil, { address: FOREIGN_CONTRACT, owner: OTHER })
  const safe = { name: 'Contract Wallet', rdns: 'com.contract' }
  const page = await openProfile([{ ...safe, address: CONTRACT }])
  await connectAndSign(page)
  await toast(page, 'Wallet verified successfully')
  await page
    .getByRole('listitem')
    .filter({ hasText: /0xc1c1\.\.\.c1c1/i })
    .getByText('Contract Wallet')
    .waitFor()
  await page.close()
  const foreign = await openProfile([{ ...safe, address: FOREIGN_CONTRACT }])
  await connectAndSign(foreign)
  await toast(foreign, 'Verification failed')
  await toast(foreign, 'Failed to verify wallet ownership. Please try again.')
  expect(
    await foreign.getByText(/0xc2c2\.\.\.c2c2/i).count(),
    'only the detected account is shown',
  ).toBe(1)
  await foreign.close()
})

test('missing access to a chain has its own message, and so have other failures', async () => {
  const page = await openProfile([
    { name: 'Rabby Wallet', rdns: 'io.rabby', address: CHOSEN, chainId: '0x89' },
  ])
  await connectAndSign(page)
  await toast(page, 'Wallet verified successfully')
  const row = page.getByRole('listitem').filter({ hasText: short(CHOSEN) })
  await row.getByText('Polygon').waitFor()
  await row.getByText('(not read yet)').waitFor()
  const [refresh, disconnect] = [
    row.getByRole('button', { name: 'Refresh balance' }),
    row.getByRole('button', { name: 'Disconnect' }),
  ]
  await refresh.click()
  await toast(page, 'Balance refresh failed')
  await toast(page, "Balances on this network aren't set up yet.")
  await page.route('**/api/crypto-wallets/*/*', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message: 'inner words' } }),
  )
  await refresh.click()
  await toast(page, 'Failed to fetch wallet balance from blockchain.')
  await disconnect.click()
  await toast(page, 'Disconnection failed')
  await toast(page, 'Failed to disconnect wallet. Please try again.')
  await page.close()
})

test('a wallet without an account is reported', async () => {
  const page = await openProfile([{ ...METAMASK, connect: 'nobody' }])
  await connect(page).click()
  await toast(page, 'Connection failed')
  await page.getByText('No accounts found', { exact: true }).first().waitFor()
  await page.close()
})

test('a wallet posing as MetaMask is shown and stored under its own name', async () => {
  const page = await openProfile([
    { name: 'MetaMask', rdns: 'com.poser', address: POSED, chainId: '0xa', isMetaMask: true },
    { ...METAMASK, name: 'MetaMask ' },
  ])
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await connect(page).click()
  await page.getByRole('button', { name: 'com.poser' }).click()
  await page.getByText('Unknown Chain').waitFor()
  await signAndVerify(page).click()
  const row = page.getByRole('listitem').filter({ hasText: short(POSED) })
  await row.getByText('com.poser').waitFor()
  await row.getByText("We can't show balances on this network.").waitFor()
  expect(await row.getByRole('button').allTextContents()).toEqual(['Disconnect'])
  await page.evaluate(() => fetch('/api/config'))
  await expect.poll(() => asked).toContain('/api/config')
  expect(
    asked.filter((path) => path.endsWith('/balance')),
    'a network without a balance is not asked for one',
  ).toEqual([])
  await page.close()
})

test.each<[string, Partial<InjectedWallet>, string]>([
  [
    'declined',
    { connect: 4001 },
    'Failed to connect to MetaMask. You declined the request in your wallet.',
  ],
  [
    'already pending',
    { connect: -32_002 },
    'Failed to connect to MetaMask. Open your wallet, a request is waiting.',
  ],
  ['answered with an unknown error', { connect: -32_099 }, 'Failed to connect to MetaMask.'],
  [
    'not allowed',
    { connect: 4100 },
    'Failed to connect to MetaMask. Your wallet is locked or does not allow this site. ' +
      'Unlock it or allow the site first.',
  ],
])('a connection that is %s is reported and can be retried', async (_what, behaviour, sentence) => {
  const page = await openProfile([{ ...METAMASK, ...behaviour }])
  await connect(page).click()
  await toast(page, 'Connection failed')
  await page.getByText(sentence, { exact: true }).first().waitFor()
  expect(await connect(page).isEnabled()).toBe(true)
  await page.close()
})

test.each<[string, Partial<InjectedWallet>, string]>([
  ['declined', { sign: 4001 }, 'You declined the request in your wallet.'],
  ['already pending', { sign: -32_002 }, 'Open your wallet, a request is waiting.'],
  [
    'answered with an unknown error',
    { sign: -32_099 },
    'Failed to verify wallet ownership. Please try again.',
  ],
])('a signature that is %s is reported and can be retried', async (_what, behaviour, sentence) => {
  const page = await openProfile([{ ...METAMASK, ...behaviour }])
  await connectAndSign(page)
  await toast(page, 'Verification failed')
  await toast(page, sentence)
  expect(await signAndVerify(page).isEnabled()).toBe(true)
  await page.close()
})

test('a connection without an answer times out, and can be canceled before that', async () => {
  const page = await openProfile([{ ...METAMASK, connect: 'silence' }])
  await page.clock.install()
  await connect(page).click()
  await page.getByText('Open your wallet to continue.').waitFor()
  expect(await connect(page).isDisabled()).toBe(true)
  await button(page, 'Cancel').click()
  await connect(page).click()
  await page.getByText('Open your wallet to continue.').waitFor()
  await page.clock.fastForward(121_000)
  await toast(
    page,
    'Failed to connect to MetaMask. Your wallet did not answer. Open it and try again.',
  )
  await page.close()
})

test('a signature without an answer times out', async () => {
  const page = await openProfile([{ ...METAMASK, sign: 'silence' }])
  await page.clock.install()
  await connectAndSign(page)
  await page.getByText('Open your wallet and sign the message.').waitFor()
  await page.clock.fastForward(121_000)
  await toast(page, 'Your wallet did not answer. Open it and try again.')
  expect(await signAndVerify(page).isEnabled()).toBe(true)
  await page.close()
})

test.each([
  [
    'account',
    { event: 'accountsChanged', news: [OTHER] },
    'The account in your wallet changed.',
    short(OTHER),
  ],
  [
    'chain',
    { event: 'chainChanged', news: '0xa4b1' },
    'The network in your wallet changed.',
    'Arbitrum',
  ],
])(
  'switching the %s while signing cancels, and nothing is linked',
  async (_what, change, sentence, shown) => {
    const page = await openProfile([{ ...METAMASK, sign: 'silence' }])
    await connectAndSign(page)
    await button(page, 'Verifying ownership...').waitFor()
    await page.getByText('Open your wallet and sign the message.').waitFor()
    await tellWallet(page, { name: 'MetaMask', ...change })
    await toast(page, sentence)
    await page.getByText(shown).first().waitFor()
    expect(await signAndVerify(page).isEnabled()).toBe(true)
    await button(page, 'Cancel').click()
    await connect(page).waitFor()
    const linked = (await (await context.request.get('/api/crypto-wallets')).json()) as {
      walletAddress: string
    }[]
    expect(linked.map(({ walletAddress }) => walletAddress)).not.toContain(ADDRESS)
    await page.close()
  },
)
