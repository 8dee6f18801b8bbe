import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '../../../../test/parts/show.ts'
import { WholeSelect } from './whole-select.tsx'

const NAMES = ['Steady', 'A bot with a name that is longer than the whole row of a phone can show']

function Choice() {
  const [name, setName] = useState('Steady')
  return (
    <WholeSelect
      aria-label="Bot"
      shown={name}
      value={name}
      onChange={({ target }) => setName(target.value)}
    >
      {NAMES.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </WholeSelect>
  )
}

const select = page.getByRole('combobox', { name: 'Bot' })

test('the whole row of a select is its target, 52 px tall', async () => {
  show(<Choice />)
  const row = select.element().parentElement?.getBoundingClientRect() ?? new DOMRect()
  expect(row.height).toBe(52)
  for (const x of [row.left + 1, row.left + row.width / 2, row.right - 1])
    for (const y of [row.top + 1, row.bottom - 1])
      expect(document.elementFromPoint(x, y)).toBe(select.element())
})

test('a choice that is longer than the row wraps, and none is cut', async () => {
  show(<Choice />)
  await userEvent.selectOptions(select, NAMES[1] ?? '')
  const shown = page.getByText(NAMES[1] ?? '').first()
  await expect.element(shown).toBeVisible()
  const { scrollWidth, clientWidth } = shown.element()
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  expect(select.element().getBoundingClientRect().height).toBeGreaterThan(52)
})

test('a select changes by keyboard', async () => {
  show(<Choice />)
  await userEvent.tab()
  await expect.element(select).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(select).toHaveValue(NAMES[1])
})
