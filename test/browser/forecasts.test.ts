import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Forecasts } from '#contract/forecasts.ts'
import { changeFirstData } from '../spec/first-data.ts'
import { openProduct, type Product } from '../spec/product.ts'
import { NARROW_WINDOW } from './large-text.ts'

let product: Product
let forecasts: Forecasts
beforeAll(async () => {
  product = await openProduct()
  forecasts = await (await fetch(`${product.url}/api/forecasts`)).json()
})
afterAll(() => product.close())

const rowsOf = (page: Page, caption: string) =>
  page
    .getByRole('table', { name: caption })
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => Array.from((row as HTMLTableRowElement).cells, (cell) => cell.innerText)),
    )

test('visitors can see on the evidence page how good the forecasts of ranges were', async () => {
  const page = await product.open('/evidence', undefined, NARROW_WINDOW)
  await page.getByRole('link', { name: 'See the range forecasts' }).click()
  await page.getByRole('link', { name: 'See the track record' }).click()
  await page.getByRole('link', { name: 'See the range forecasts' }).click()
  await page.getByRole('heading', { level: 1, name: 'Range forecasts' }).waitFor()
  const { scores } = forecasts
  const days = scores.total.days.toLocaleString('en-US')
  const text = await page.locator('main').innerText()
  expect(text).toContain(
    'A machine-learning model forecasts how far a price may move in 24 hours, not where to.',
  )
  expect(text).toContain('No bot trades on them.')
  const { heldOf100: held, belowOf100: below } = scores
  const { medianLow, medianHigh } = scores
  const ends = `\u2212${medianLow.slice(1)}% to +${medianHigh}%`
  expect(text).toContain(`A typical range for 24 hours: ${ends}.`)
  const shown = page.locator('main dl > div')
  expect(await shown.allInnerTexts()).toEqual([
    'Forecast\n80 of 100\ndays in the range',
    `Happened\n${held} of 100\n${100 - held - below} above, ${below} below`,
  ])
  expect(text).toContain(`${days} forecasts on real past prices`)
  await page.locator('summary', { hasText: 'Chance of a fall of 5% or more' }).click()
  expect(await page.locator('details[open] svg circle').count()).toBe(scores.chances.length)
  await page.context().close()
})

test('the page says whether the model rests, and in which months it rested', async () => {
  const said = 'The model rests: over the last 365 days, the plain formula was better.'
  const open = async (rests: boolean) => {
    const page = await product.open('/evidence')
    await changeFirstData((data) => ({
      ...data,
      getForecasts: { ...forecasts, scores: { ...forecasts.scores, rests } },
    }))(page)
    await page.goto(`${product.url}/forecasts`)
    await page.getByText('days in the range').first().waitFor()
    return page
  }
  const resting = await open(true)
  await resting.getByText(said).waitFor()
  const answering = await open(false)
  expect(await answering.getByText(said).count()).toBe(0)
  await answering.getByRole('heading', { name: /^Months in which the plain/ }).click()
  await answering
    .getByText('2024-01, 2024-02, 2024-03, 2024-04 and 2024-06', { exact: false })
    .waitFor()
  for (const page of [resting, answering]) await page.context().close()
})

test('a live market has a section of its own, with chances from enough days on', async () => {
  const here = {
    since: '2026-11-02',
    days: 61,
    missed: 2,
    forecasts: 732,
    held80: 590,
    chances: forecasts.scores.chances.slice(0, 2),
  }
  const page = await product.open('/evidence', undefined, NARROW_WINDOW)
  await changeFirstData((data) => ({ ...data, getForecasts: { ...forecasts, here } }))(page)
  await page.goto(`${product.url}/forecasts`)
  const section = page.locator('section', { hasText: 'On this market' })
  const text = await section.innerText()
  expect(text).toMatch(/In 61 days since .*, 590 of 732 prices stayed in their 80% range\./)
  expect(text).toContain('Days without forecasts: 2. None is added later.')
  await section.getByText(/^Chance of a fall of 5% or more/).click()
  expect(await rowsOf(page, 'Forecast and happened on this market')).toHaveLength(2)
  const link = section.getByRole('link', { name: 'Download the proof' })
  expect(await link.getAttribute('href')).toBe('/api/forecasts/bundle')
  await page.context().close()
  const simulated = await product.open('/forecasts')
  expect(await simulated.getByText('On this market').count()).toBe(0)
  await simulated.context().close()
})

test('each unfolded section shows the figures of the file, in a narrow window too', async () => {
  const { scores, tried } = forecasts
  const page = await product.open('/forecasts', undefined, NARROW_WINDOW)
  const doors = page.locator('main summary')
  for (const door of await doors.all()) await door.click()
  expect(await rowsOf(page, 'Forecast and happened')).toEqual(
    scores.chances.map(({ days, said, happenedPercent }) => [
      days.toLocaleString('en-US'),
      `${said}%`,
      `${happenedPercent}%`,
    ]),
  )
  for (const [caption, rows] of [
    ['By coin', scores.byPair],
    ['By year', scores.byYear],
    ['Months in which the plain formula was better', scores.worseMonths],
  ] as const)
    expect(await rowsOf(page, caption)).toEqual(
      rows.map(({ name, percent80, percent95, qlike, plain }) => [
        name,
        `${percent80}%`,
        `${percent95}%`,
        qlike,
        plain.qlike,
      ]),
    )
  expect(await rowsOf(page, 'Whole bots')).toEqual(
    scores.bots.map(({ days, percent80 }) => [
      expect.any(String),
      days.toLocaleString('en-US'),
      `${percent80}%`,
    ]),
  )
  const learned = [
    ...(await rowsOf(page, 'Sharpe ratio, difference')),
    ...(await rowsOf(page, 'Area under the curve, 0.5 is chance')),
  ]
  expect(learned).toHaveLength(tried.length)
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0)
  await page.context().close()
})
