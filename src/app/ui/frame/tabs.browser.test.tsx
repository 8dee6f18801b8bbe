import { useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '../../../../test/parts/show.ts'
import { Tabs } from './tabs.tsx'

const OPTIONS = [
  { value: 'day', text: '1D' },
  { value: 'month', text: '1M' },
  { value: 'all', text: 'All' },
] as const

function Ranges() {
  const [range, setRange] = useState<(typeof OPTIONS)[number]['value']>('month')
  return (
    <>
      <button type="button">Before</button>
      <Tabs label="Range" options={OPTIONS} value={range} onChange={setRange} panelId="chart" />
      <button type="button" id="chart">
        After
      </button>
    </>
  )
}

beforeEach(() => show(<Ranges />))

const tab = (name: string) => page.getByRole('tab', { name, exact: true })

async function expectChosen(name: string): Promise<void> {
  await expect.element(tab(name)).toHaveAttribute('aria-selected', 'true')
  await expect.element(tab(name)).toHaveFocus()
}

test('Tab stops once at tabs, on the chosen one', async () => {
  await userEvent.click(page.getByRole('button', { name: 'Before' }))
  await userEvent.tab()
  await expectChosen('1M')
  await userEvent.tab()
  await expect.element(page.getByRole('button', { name: 'After' })).toHaveFocus()
  await userEvent.tab({ shift: true })
  await expectChosen('1M')
})

test('arrow keys, Home and End choose a tab and go around', async () => {
  await userEvent.click(tab('1M'))
  for (const [key, name] of [
    ['{ArrowLeft}', '1D'],
    ['{ArrowLeft}', 'All'],
    ['{ArrowRight}', '1D'],
    ['{ArrowRight}', '1M'],
    ['{End}', 'All'],
    ['{Home}', '1D'],
  ] as const) {
    await userEvent.keyboard(key)
    await expectChosen(name)
  }
})

test('each tab is a target of at least 48 px', async () => {
  await expect.element(tab('All')).toBeVisible()
  for (const element of page.getByRole('tab').elements()) {
    const { width, height } = element.getBoundingClientRect()
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(48)
  }
})
