import { expect, test } from 'vitest'
import { watchWallets } from './browser-wallets.ts'

const provider = { request: async () => undefined }
const info = { uuid: '1', name: 'Rabby Wallet', rdns: 'io.rabby', icon: 'data:image/svg+xml,<svg/>' }

function pageWith(details: unknown[], ethereum?: unknown): EventTarget & { ethereum?: unknown } {
  const page = new EventTarget()
  const announce = () => details.forEach((detail) => page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })))
  page.addEventListener('eip6963:requestProvider', announce)
  return Object.assign(page, { ethereum })
}

const listed = (page: EventTarget) => watchWallets(page).list().map(({ name, maker, walletType }) => [name, maker, walletType])

test('a browser without a wallet lists none', () => {
  expect(listed(pageWith([]))).toEqual([])
  expect(listed(pageWith([], { isMetaMask: true }))).toEqual([])
})

test('window.ethereum counts where nobody announces itself, and only there', () => {
  const legacy = { ...provider, isMetaMask: true }
  expect(listed(pageWith([], legacy))).toEqual([['MetaMask', '', 'metamask']])
  expect(listed(pageWith([], provider))).toEqual([['Browser wallet', '', 'Browser wallet']])
  expect(listed(pageWith([{ info, provider }], legacy))).toEqual([['Rabby Wallet', 'io.rabby', 'Rabby Wallet']])
})

test('every announced wallet is listed once, also one that comes later', () => {
  const page = pageWith([{ info, provider }, { info, provider }])
  const wallets = watchWallets(page)
  let told = 0
  const stop = wallets.subscribe(() => (told += 1))
  page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info: { ...info, uuid: '2', name: 'MetaMask', rdns: 'io.metamask' }, provider } }))
  expect(wallets.list().map(({ walletType }) => walletType)).toEqual(['Rabby Wallet', 'metamask'])
  expect(wallets.list()).toBe(wallets.list())
  stop()
  page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info: { ...info, uuid: '3' }, provider } }))
  expect(told).toBe(1)
})

test.each(['MetaMask', 'metamask', 'Meta Mask', ' MetaMask '])('another maker that calls itself "%s" does not pass for MetaMask', (name) => {
  expect(listed(pageWith([{ info: { ...info, name, rdns: 'com.evil' }, provider }]))).toEqual([[name.trim(), 'com.evil', 'com.evil']])
})

test('a picture from elsewhere is not shown: it would tell its server who looks', () => {
  const icons = ['https://evil.example/pixel.gif', 'javascript:alert(1)', 'data:text/html,x', 7]
  const page = pageWith(icons.map((icon, index) => ({ info: { ...info, uuid: String(index), icon }, provider })))
  expect(watchWallets(page).list().map(({ icon }) => icon)).toEqual([undefined, undefined, undefined, undefined])
})

test('announcements that make no sense are passed over', () => {
  const nonsense = [undefined, null, 'wallet', {}, { info }, { info, provider: {} }, { info: null, provider }, { info: { ...info, name: '  ' }, provider }]
  expect(listed(pageWith(nonsense))).toEqual([])
})
