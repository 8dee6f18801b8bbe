import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { datesIn } from '#app/ui/device/dates.ts'
import { show } from '../../../../test/parts/show.ts'
import type { Curve } from './curve.ts'
import { LineChart } from './line-chart.tsx'

const CURVE = [
  { at: '2026-01-01T00:00:00.000Z', value: '100.00' },
  { at: '2026-01-02T00:00:00.000Z', value: '150.00' },
  { at: '2026-01-03T00:00:00.000Z', value: '125.00' },
  { at: '2026-01-05T00:00:00.000Z', value: '110.00' },
]
const STEPS = [
  { at: '2026-01-01T00:00:00.000Z', value: '100.00' },
  { at: '2026-01-02T00:00:00.000Z', value: '140.00' },
]
const { dayText, momentText, shortDayText } = datesIn('UTC')

function showChart(given: { ahead?: Curve[] } = {}): void {
  show(
    <LineChart
      name="Worth of the bot"
      curve={CURVE}
      baseline={STEPS}
      {...given}
      time={{ dayText, momentText, tickText: shortDayText }}
    >
      Since the start
    </LineChart>,
  )
}

const slider = page.getByRole('slider')

async function expectRead(text: string): Promise<void> {
  await expect.element(slider).toHaveAttribute('aria-valuetext', text)
}

test('a chart is a slider that reads out its last value; its label is its curve', async () => {
  showChart()
  await expect
    .element(slider)
    .toHaveAccessibleName(
      'Worth of the bot: from $100.00 (Jan 1, 2026) to $110.00 (Jan 5, 2026), ' +
        'lowest $100.00, highest $150.00.',
    )
  await expectRead('Jan 5, 2026, 00:00: $110.00')
})

test('arrow keys, Home and End read out the values of a chart, and stop at its ends', async () => {
  showChart()
  await userEvent.tab()
  await expect.element(slider).toHaveFocus()
  for (const [key, text] of [
    ['{ArrowLeft}', 'Jan 3, 2026, 00:00: $125.00'],
    ['{Home}', 'Jan 1, 2026, 00:00: $100.00'],
    ['{ArrowLeft}', 'Jan 1, 2026, 00:00: $100.00'],
    ['{ArrowRight}', 'Jan 2, 2026, 00:00: $150.00'],
    ['{End}', 'Jan 5, 2026, 00:00: $110.00'],
    ['{ArrowRight}', 'Jan 5, 2026, 00:00: $110.00'],
  ] as const) {
    await userEvent.keyboard(key)
    await expectRead(text)
  }
  await expect.element(slider).toHaveAttribute('aria-valuenow', '3')
  await expect.element(slider).toHaveAttribute('aria-valuemax', '3')
})

test('a chart without the focus shows no selected value', async () => {
  showChart()
  await userEvent.tab()
  await userEvent.keyboard('{Home}')
  await expect.element(page.getByText('Jan 1, 2026, 00:00')).toBeVisible()
  await expect.element(page.getByText('Since the start')).not.toBeVisible()
  slider.element().blur()
  await expect.element(page.getByText('Jan 1, 2026, 00:00')).not.toBeInTheDocument()
  await expect.element(page.getByText('Since the start')).toBeVisible()
})

test('the pointer selects the value that is nearest in time, until it leaves', async () => {
  showChart()
  const { width, height } = slider.element().getBoundingClientRect()
  for (const [share, text] of [
    [0.02, 'Jan 1, 2026, 00:00'],
    [0.3, 'Jan 2, 2026, 00:00'],
    [0.7, 'Jan 3, 2026, 00:00'],
    [0.8, 'Jan 5, 2026, 00:00'],
  ] as const) {
    await userEvent.hover(slider, { position: { x: width * share, y: height / 2 } })
    await expect.element(page.getByText(text)).toBeVisible()
  }
  await userEvent.hover(page.getByRole('button', { name: 'Gain only' }))
  await expect.element(page.getByText('Since the start')).toBeVisible()
})

test('a 48 px button hides the money put in, so that the chart shows gains only', async () => {
  showChart()
  const button = page.getByRole('button', { name: 'Gain only' })
  const line = () => document.querySelector('path:last-of-type')?.getAttribute('d')
  await expect.element(button).toHaveAttribute('aria-pressed', 'false')
  const whole = line()
  await userEvent.click(button)
  await expect.element(button).toHaveAttribute('aria-pressed', 'true')
  expect(line()).not.toBe(whole)
  expect(button.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(48)
})

test('curves ahead begin at the end of the curve, dashed, with room on the scale', async () => {
  const ahead = ['60.00', '200.00'].map((value) => [
    { at: '2026-01-05T00:00:00.000Z', value: '110.00' },
    { at: '2026-01-06T00:00:00.000Z', value },
  ])
  showChart({ ahead })
  const pathsOf = (look: string) =>
    [...document.querySelectorAll(`path[${look}]`)].map((path) => path.getAttribute('d'))
  expect(pathsOf('stroke-dasharray="8 4"')).toEqual(['M800 257L1000 400', 'M800 257L1000 0'])
  expect(pathsOf('stroke-width="2"')).toEqual([expect.stringMatching(/^M0 286.*L800 257$/)])
  await userEvent.click(page.getByRole('button', { name: 'Gain only' }))
  expect(pathsOf('stroke-dasharray="8 4"')).toEqual(['M800 257L1000 400', 'M800 257L1000 0'])
  expect(pathsOf('stroke-width="2"')).toEqual([expect.stringMatching(/^M0 171.*L800 257$/)])
})

test('in a right-to-left page the times run in the direction of the curve', async () => {
  document.documentElement.dir = 'rtl'
  onTestFinished(() => document.documentElement.removeAttribute('dir'))
  showChart()
  const left = (text: string) =>
    page.getByText(text, { exact: true }).element().getBoundingClientRect().left
  await expect.element(page.getByText('Jan 1', { exact: true })).toBeVisible()
  expect(left('Jan 1')).toBeLessThan(left('Jan 5'))
})
