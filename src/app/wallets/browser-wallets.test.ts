import { expect, test } from 'vitest'
import { watchWallets } from './browser-wallets.ts'

const provider = { request: async () => undefined }
const info = {
  uuid: '1',
  name: 'Rabby Wallet',
  rdns: 'io.rabby',
  icon: 'data:image/svg+xml,<svg/>',
}

function pageWith(details: unknown[], ethereum?: unknown): EventTarget & { ethereum?: unknown } {
  const page = new EventTarget()
  const announce = () =>
    details.forEach((detail) =>
      page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
    )
  page.addEventListener('eip6963:requestProvider', announce)
  return Object.assign(page, { ethereum })
}

const listed = (page: EventTarget) =>
  watchWallets(page)
    .list()
    .map(({ name, maker, walletType }) => [name, maker, walletType])

test('a browser without a wallet lists none', () => {
  expect(listed(pageWith([]))).toEqual([])
  expect(listed(pageWith([], { isMetaMask: true }))).toEqual([])
})

test('window.ethereum is used only while no wallet announces itself', () => {
  const legacy = { ...provider, isMetaMask: true }
  expect(listed(pageWith([], legacy))).toEqual([['MetaMask', '', 'metamask']])
  expect(listed(pageWith([], provider))).toEqual([['Browser wallet', '', 'Browser wallet']])
  expect(listed(pageWith([{ info, provider }], legacy))).toEqual([
    ['Rabby Wallet', 'io.rabby', 'Rabby Wallet'],
  ])
})

test('every announced wallet is listed once, including a late one', () => {
  const page = pageWith([
    { info, provider },
    { info, provider },
  ])
  const wallets = watchWallets(page)
  let notifications = 0
  const stop = wallets.subscribe(() => (notifications += 1))
  page.dispatchEvent(
    new CustomEvent('eip6963:announceProvider', {
      detail: { info: { ...info, uuid: '2', name: 'MetaMask', rdns: 'io.metamask' }, provider },
    }),
  )
  expect(wallets.list().map(({ walletType }) => walletType)).toEqual(['Rabby Wallet', 'metamask'])
  expect(wallets.list()).toBe(wallets.list())
  stop()
  page.dispatchEvent(
    new CustomEvent('eip6963:announceProvider', {
      detail: { info: { ...info, uuid: '3' }, provider },
    }),
  )
  expect(notifications).toBe(1)
})

test.each(['MetaMask', 'metamask', 'Meta Mask', ' MetaMask '])(
  'another wallet that calls itself "%s" is not taken for MetaMask',
  (name) => {
    expect(listed(pageWith([{ info: { ...info, name, rdns: 'com.evil' }, provider }]))).toEqual([
      [name.trim(), 'com.evil', 'com.evil'],
    ])
  },
)

test.each([
  ['io.metamask.mobile', 'MetaMask'],
  ['io.metamask.mobile', 'MetaMask Mobile'],
  ['io.metamask.flask', 'MetaMask Flask'],
  ['com.coinbase.wallet', 'Coinbase Wallet'],
])('a wallet of %s is linked under its own name, %s', (rdns, name) => {
  expect(listed(pageWith([{ info: { ...info, name, rdns }, provider }]))).toEqual([
    [name, rdns, name],
  ])
})

test.each(['io.metamaskmobile', 'io.metamask-mobile', 'com.evil.io.metamask.mobile'])(
  "a wallet whose id only resembles MetaMask's, %s, is not taken for MetaMask",
  (rdns) => {
    expect(listed(pageWith([{ info: { ...info, name: 'MetaMask', rdns }, provider }]))).toEqual([
      ['MetaMask', rdns, rdns],
    ])
  },
)

test('an icon from a URL is not shown: loading it would reveal the visitor to its server', () => {
  const icons = ['https://evil.example/pixel.gif', 'javascript:alert(1)', 'data:text/html,x', 7]
  const page = pageWith(
    icons.map((icon, index) => ({ info: { ...info, uuid: String(index), icon }, provider })),
  )
  expect(
    watchWallets(page)
      .list()
      .map(({ icon }) => icon),
  ).toEqual([undefined, undefined, undefined, undefined])
})

test('malformed announcements are ignored', () => {
  const nonsense = [
    undefined,
    null,
    'wallet',
    {},
    { info },
    { info, provider: {} },
    { info: null, provider },
    { info: { ...info, name: '  ' }, provider },
  ]
  expect(listed(pageWith(nonsense))).toEqual([])
})
