import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { show } from '../../../../test/parts/show.ts'
import { Receipt } from './receipt.tsx'

test.each([200, 240, 280, 360])('at %i px no dotted line is left behind a label', (width) => {
  const label = 'Our fee on its profit so far'
  show(
    <div style={{ width }}>
      <Receipt lines={[{ label, value: '−$1,234.56' }]} />
    </div>,
  )
  const term = page.getByText(label).element()
  const line = term.parentElement
  const value = line?.querySelector('dd')
  expect(getComputedStyle(line ?? term, '::after').content).toBe('none')
  expect(getComputedStyle(value ?? term, '::before').borderBottomStyle).toBe('dotted')
  expect(value?.getBoundingClientRect().right).toBe(line?.getBoundingClientRect().right)
})
