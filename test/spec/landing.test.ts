import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { createWorld } from '../world.ts'
import { at, equals, heading, leads, link, steps, text, type Check } from './checks.ts'
import { openProduct, type Product } from './product.ts'
import { screen } from './rows.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
}, 120_000)
afterAll(() => product.close())

const inFeature = (title: string, words: RegExp): Check => (page) => {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) }).getByText(words).waitFor()
}
const inFooter = (words: string): Check => (page) => page.locator('footer').getByText(words, { exact: true }).waitFor()
const CLAIM = 'Up to 75% Returns'
const TRUTH = 'Target, not a promise: you can lose money.'

async function sizeOf(page: Page, words: string): Promise<number> {
  return page.getByText(words, { exact: true }).first().evaluate((element) => parseInt(getComputedStyle(element).fontSize, 10))
}

/** In view without scrolling. */
const inView = (words: string | RegExp): Check => async (page) => {
  const box = await page.getByText(words).first().boundingBox()
  const height = page.viewportSize()?.height ?? 0
  equals(box !== null && box.y >= 0 && box.y + box.height <= height, true)
}

screen(() => product.open('/'), {
  '2 Landing': {
    title: (page) => page.getByText('Trading Bot', { exact: true }).first().waitFor(),
    "subtitle 'AI-powered crypto trading'": heading('AI-powered crypto trading'),
    "badge 'Up to 75% Returns'": text(CLAIM),
    "feature card 'Automated Trading Bots'": heading('Automated Trading Bots'),
    "feature card 'Secure & Licensed'": heading('Secure & Licensed'),
    "feature card 'Instant Results'": heading('Instant Results'),
    "'Start Trading Now' leads to /signup": leads('Start Trading Now', '/signup'),
    "'I Have an Account' leads to /login": leads('I Have an Account', '/login'),
    "footer indicator 'Live Trading'": inFooter('Live Trading'),
    "footer indicator 'Secure'": inFooter('Secure'),
    "footer indicator 'AI Powered'": inFooter('AI Powered'),
    'beside the claim: a target, not a promise (decision 1)': text(TRUTH),
    'the truth is at least as large as the claim (decision 1)': async (page) => equals((await sizeOf(page, TRUTH)) >= (await sizeOf(page, CLAIM)), true),
    "the evidence line of a simulated market: 'Simulated market: no evidence' (decision 1)": text(/^Simulated market: no evidence/),
    "under 'Secure & Licensed': no operator licence configured (decision 4)": inFeature('Secure & Licensed', /Demo: no operator licence configured$/),
    'width capped at the medium breakpoint': async (page) => {
      await page.setViewportSize({ width: 1_440, height: 900 })
      const box = await page.getByRole('main').boundingBox()
      equals((box?.width ?? 1_440) <= 768, true)
    },
  },
  '1 Promises': {
    'AI-powered crypto trading': heading('AI-powered crypto trading'),
    'up to 75% returns': text(CLAIM),
    'bots running 24/7': text(/^Bots running 24\/7/),
    'bank-grade security': text(/^Bank-grade security/),
    'real-time profit tracking': text(/^Real-time profit tracking/),
  },
})

screen(() => product.open('/', undefined, { viewport: { width: 360, height: 640 } }), {
  '2 Landing, small phone': {
    'the claim is in view at 360 × 640 (decision 1)': inView(CLAIM),
    'the truth is in view at 360 × 640 (decision 1)': inView(TRUTH),
    'the evidence line is in view at 360 × 640 (decision 1)': inView(/^Simulated market: no evidence/),
  },
})

let licensed: Product | undefined
afterAll(() => licensed?.close())

async function openLicensed(): Promise<Page> {
  licensed = await openProduct(createWorld({ config: { OPERATOR_LICENCE: 'FCA 123456' } }))
  return licensed.open('/')
}

screen(openLicensed, {
  '2 Landing, licensed': {
    "under 'Secure & Licensed': the operator's licence (decision 4)": inFeature('Secure & Licensed', /Operator licence: FCA 123456$/),
  },
})

screen(() => product.open('/evidence'), {
  '2 Evidence': {
    'on a simulated market it says that there is no evidence (decision 1)': text(/no evidence/i),
    'it is reached from the landing (decision 1)': async (page) => {
      await page.goto('/')
      await page.locator('a[href="/evidence"]').first().click()
      await steps(at('/evidence'), link(/.*/, '/'))(page)
    },
  },
})
