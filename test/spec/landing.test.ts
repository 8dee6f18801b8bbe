import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { Evidence } from '#contract/evidence.ts'
import type { Context } from '#server/context.ts'
import { createWorld } from '../world/world.ts'
import {
  absent,
  at,
  equals,
  goTo,
  heading,
  leads,
  link,
  steps,
  text,
  type Check,
} from './checks.ts'
import { openProduct, type Product } from './product.ts'
import { screen } from './rows.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
})
afterAll(() => product.close())

const inFeature =
  (title: string, words: RegExp): Check =>
  (page) => {
    return page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
      .getByText(words)
      .waitFor()
  }
const inFooter =
  (words: string): Check =>
  (page) =>
    page.locator('footer').getByText(words, { exact: true }).waitFor()
const CLAIM = 'Up to 75% Returns'
const TRUTH = 'Target, not a promise: you can lose money.'

async function sizeOf(page: Page, words: string): Promise<number> {
  return page
    .getByText(words, { exact: true })
    .first()
    .evaluate((element) => parseInt(getComputedStyle(element).fontSize, 10))
}

/** In view without scrolling. */
const inView =
  (words: string | RegExp): Check =>
  async (page) => {
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
    'the truth is at least as large as the claim (decision 1)': async (page) =>
      equals((await sizeOf(page, TRUTH)) >= (await sizeOf(page, CLAIM)), true),
    "the evidence line of a simulated market: 'Simulated market: no evidence' (decision 1)": text(
      /^Simulated market: no evidence/,
    ),
    "under 'Secure & Licensed': no operator licence configured (decision 4)": inFeature(
      'Secure & Licensed',
      /Demo: no operator licence configured$/,
    ),
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
    'bank-grade security': text(/^Bank-grade security: account numbers encrypted\./),
    'real-time profit tracking': text(/^Real-time profit tracking, losses included\./),
  },
})

screen(() => product.open('/', undefined, { viewport: { width: 360, height: 640 } }), {
  '2 Landing, small phone': {
    'the claim is in view at 360 × 640 (decision 1)': inView(CLAIM),
    'the truth is in view at 360 × 640 (decision 1)': inView(TRUTH),
    'the evidence line is in view at 360 × 640 (decision 1)': inView(
      /^Simulated market: no evidence/,
    ),
  },
})

let licensed: Promise<Product> | undefined
afterAll(async () => (await licensed)?.close())

const outcome = (percent: string) => ({ percent, from: '2021-01-01', to: '2022-01-01' })
const PAST = {
  median: outcome('16.04'),
  worst: outcome('-13.31'),
  best: outcome('72.14'),
  lower: outcome('-4.57'),
  upper: outcome('30.33'),
  losing: 24,
  losingPercent: '24.35',
  deepestFall: '14.18',
  beatsCash: { percent: '55.10', windows: 99 },
  monthly: {
    median: outcome('7.55'),
    worst: outcome('-6.21'),
    losingPercent: '22.33',
    onceHigher: 72,
    onceHigherPercent: '72.72',
  },
}
const LUCK = {
  isDistinguishable: false,
  sharpe: '1.09',
  heldSharpe: '0.62',
  cash: '0.00',
  deflated: '89.10',
  aboveHolding: '93.00',
  overfitting: '59.00',
  trials: 197,
  years: '4.7',
  minimumYears: '6.5',
  band: { low: '-9.00', high: '40.00', blockDays: 30 },
}
const REACHED = { luck: LUCK, target: { from: 25, to: 50 }, reached: 32, reachedPercent: '32.53' }
const FIGURES: Extract<Evidence, { state: 'figures' }>['figures'] = {
  windows: 99,
  windowDays: 365,
  from: '2021-01-01',
  to: '2022-04-09',
  pairs: ['BTC/USDT'],
  coverage: [{ pair: 'BTC/USDT', from: '2020-10-12', to: '2022-04-09', windows: 99 }],
  invested: '10000.00',
  cash: '0.05',
  costs: {
    tradingFee: '0.10',
    halfSpread: '0.02',
    slippage: '0.05',
    aSide: '0.17',
    platformFee: '15.00',
    holdFee: '0.00',
    cashYield: '0.00',
  },
  levels: [
    { ...PAST, ...REACHED, riskLevel: 'conservative', median: outcome('4.05') },
    { ...PAST, ...REACHED, riskLevel: 'moderate' },
    { ...PAST, ...REACHED, riskLevel: 'aggressive', median: outcome('-1.50') },
  ],
  others: [],
  buyAndHold: PAST,
  timeline: { stepDays: 7, conservative: [], moderate: [], aggressive: [] },
  chosenOn: { pairs: ['BTC/USDT'], until: '2025-09-20' },
  holdout: [],
  dataHash: '',
  engineVersion: '',
}
const MARKET = { feedLabel: 'Recorded market', disclaimer: '' }

const COMPUTING: Evidence = {
  state: 'computing',
  sentence: 'The evidence is being computed.',
  ...MARKET,
}
const KNOWN: Evidence = { state: 'figures', figures: FIGURES, note: null, source: null, ...MARKET }

/** The evidence as the server has it at the moment. */
let evidence: Evidence = COMPUTING

/** The product of a licensed operator who names no targets, opened once. */
function openLicensed(): Promise<Product> {
  const keeper: Context['evidence'] = {
    now: () => evidence,
    soon: async () => evidence,
    ofGuards: async () => ({ state: 'none', sentence: '' }),
    ofBot: async () => ({ state: 'none', sentence: '' }),
    bundle: async () => null,
    stop: () => undefined,
  }
  licensed ??= openProduct(
    createWorld({
      config: { OPERATOR_LICENCE: 'FCA 123456', CLAIMS: 'evidence' },
      context: { evidence: keeper },
    }),
  )
  return licensed
}

async function openLanding(): Promise<Page> {
  evidence = COMPUTING
  return (await openLicensed()).open('/')
}

const nowKnown =
  (known: Evidence): Check =>
  async () =>
    void (evidence = known)
const figuresOf =
  (level: string, words: string): Check =>
  (page) =>
    page
      .getByRole('radio', { name: `${level} ${words}`, exact: true })
      .waitFor({ state: 'attached' })
const PAST_NOTE = 'Past results, not a promise: you can lose money.'
const namesNoTarget = steps(absent(CLAIM), absent(TRUTH), absent(/target/i), absent(/\d-\d+%/))

screen(openLanding, {
  '2 Landing, licensed': {
    "under 'Secure & Licensed': the operator's licence (decision 4)": inFeature(
      'Secure & Licensed',
      /Operator licence: FCA 123456$/,
    ),
    'without targets, while the evidence is being computed: no figure (decision 37)': steps(
      text('Returns: no figures yet'),
      text('The evidence is being computed.'),
      namesNoTarget,
    ),
    'while the page stays open, figures that took long take the place of the sentence': steps(
      text('The evidence is being computed.'),
      (page) => page.waitForLoadState('networkidle'),
      nowKnown(KNOWN),
      text('Returns: median +16.04%'),
    ),
    'without targets and without evidence: no figure, and why (decision 37)': steps(
      nowKnown({ state: 'none', sentence: 'Recorded market: too short for evidence', ...MARKET }),
      goTo('/'),
      text('Returns: no figures'),
      text('Recorded market: too short for evidence'),
      namesNoTarget,
      goTo('/evidence'),
      heading('Recorded market: too short for evidence'),
      namesNoTarget,
    ),
    'without targets: the median, beside the worst and the share that lost money (decision 37)':
      steps(
        nowKnown(KNOWN),
        ...['/', '/signup'].map((path) =>
          steps(
            goTo(path),
            text('Returns: median +16.04%'),
            text(PAST_NOTE),
            text('25 of 100 starts lost money after 12 months. Median +16.04%, worst −13.31%.'),
            text('Hypothetical: Moderate bots, after costs.'),
            namesNoTarget,
          ),
        ),
      ),
    'figures of other prices than those of the market name them (decision 52)': steps(
      nowKnown({
        state: 'figures',
        figures: FIGURES,
        ...MARKET,
        note: 'From recorded prices.',
        source: 'Binance',
        feedLabel: 'Recorded Binance prices',
      }),
      goTo('/'),
      text('Hypothetical: Moderate bots, after costs. Recorded Binance prices.'),
      goTo('/evidence'),
      text("Recorded Binance prices, not this market's."),
      (page) => page.getByText('How it was computed').click(),
      text('From recorded prices.'),
      nowKnown(KNOWN),
      goTo('/'),
    ),
    'without targets, the truth is at least as large as the figure (decision 37)': async (page) => {
      equals(
        (await sizeOf(page, PAST_NOTE)) >= (await sizeOf(page, 'Returns: median +16.04%')),
        true,
      )
    },
    'without targets, the evidence is compared with none (decision 37)': steps(
      goTo('/evidence'),
      text(PAST_NOTE),
      text('lost nothing'),
      text('75.65%'),
      namesNoTarget,
    ),
    'without targets, the help claims none (decision 37)': async () => {
      for (const id of ['returns', 'risk-levels']) {
        const { world } = await openLicensed()
        const { body } = await world.stranger().call('getHelpArticle', { query: { id } })
        equals([body.includes('past result'), /75%|15-25%/.test(body)], [true, false])
      }
    },
  },
})

async function openNewBot(): Promise<Page> {
  evidence = KNOWN
  const { open, world } = await openLicensed()
  return open('/bot-config/new', await world.user())
}

screen(openNewBot, {
  '9 Risk levels, without targets': {
    'each level has the median of its evidence instead of a band (decision 37)': steps(
      figuresOf('Conservative', 'median +4.05%'),
      figuresOf('Moderate', 'median +16.04%'),
      figuresOf('Aggressive', 'median −1.50%'),
      text(PAST_NOTE),
      namesNoTarget,
    ),
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
