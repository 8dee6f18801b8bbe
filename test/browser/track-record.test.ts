import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TrackRecord } from '#contract/track-record.ts'
import { openProduct, type Product } from '../spec/product.ts'
import { NARROW_WINDOW } from './large-text.ts'
import { measureLooks } from './measures.ts'
import { wordsShown } from './words-shown.ts'

type Figures = Extract<TrackRecord, { state: 'figures' }>

let product: Product
beforeAll(async () => {
  product = await openProduct()
  const ada = await product.world.user('ada')
  await ada.deposit('1000')
  await ada.call('createBot', {
    body: {
      name: 'Steady',
      riskLevel: 'aggressive',
      tradingPairs: ['BTC/USDT', 'ETH/USDT'],
      investmentAmount: '200',
    },
  })
  await product.world.hours(72)
})
afterAll(() => product.close())

async function figures(): Promise<Figures> {
  for (;;) {
    const record = await product.world.stranger().call('getTrackRecord')
    if (record.state === 'figures') return record
    expect(record.state).toBe('computing')
  }
}

test('the track record, as opened, has at most 130 words', async () => {
  await figures()
  const page = await product.open('/track-record')
  await page.getByRole('region', { name: 'Aggressive' }).waitFor()
  await page
    .getByText('After trading costs, before our fee. Past results do not predict the future.')
    .waitFor()
  await page.getByText('You can lose money.').first().waitFor()
  expect((await wordsShown(page)).length).toBeLessThanOrEqual(130)
  await page.context().close()
})

test('visitors see every strategy beside its backtest, the gap and every pair', async () => {
  const { strategies } = await figures()
  const used = strategies.find(({ strategy }) => strategy === 'trend-aggressive')
  const page = await product.open('/track-record', undefined, NARROW_WINDOW)
  const section = page.getByRole('region', { name: 'Aggressive' })
  await section.getByText(shown(used?.real)).first().waitFor()
  await section.getByText(shown(used?.backtest)).first().waitFor()
  await section.getByText('Hypothetical: no money moved').waitFor()
  const parts = await section.locator('dl').first().locator('dt').allTextContents()
  expect(parts).toEqual(
    expect.arrayContaining(['Fee', 'Spread', 'Delay', 'Missed', 'Gap to the backtest']),
  )
  await section.getByText(/^\d+ pairs$/).click()
  const table = section.getByRole('table', { name: 'Aggressive by pair' })
  expect(await table.getByRole('row').count()).toBe(1 + (used?.pools.length ?? 0))
  const btc = used?.pools.find(({ pair }) => pair === 'BTC/USDT')
  await table.getByRole('row', { name: /^BTC/ }).getByText(shown(btc?.real)).first().waitFor()
  expect(await table.getByText('No bot with this strategy yet').count()).toBe(
    used?.pools.filter(({ state }) => state === 'never').length,
  )
  await page
    .getByText(
      'Not used yet: Conservative, Moderate, Hold, Balanced 25%, Balanced 50% and Balanced 75%.',
    )
    .waitFor()
  await page
    .getByRole('heading', { name: /^Results here are within \d\.\d\d% of their backtest\.$/ })
    .waitFor()
  expect(
    (await measureLooks(page)).flatMap(({ look, findings }) =>
      findings.map((finding) => `${look}: ${finding}`),
    ),
  ).toEqual([])
  await page.context().close()
})

/** Percentages as the screen prints them: with sign and grouped digits. */
function shown(percent: string | null | undefined): string {
  return `${percent?.startsWith('-') ? '−' : '+'}${percent?.replace('-', '') ?? ''}%`
}
