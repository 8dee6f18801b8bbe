import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '../../../../test/parts/show.ts'
import { Sheet } from './sheet.tsx'

const opener = page.getByRole('button', { name: 'Balance' })
const sheet = page.getByRole('dialog')
const close = page.getByRole('button', { name: 'Close' })

function Screen() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Balance
      </button>
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title="Your balance"
        description="What you have"
      >
        <button type="button">Deposit</button>
        <p>$1,000.00</p>
      </Sheet>
      <button type="button">Behind</button>
    </>
  )
}

async function openSheet(): Promise<void> {
  show(<Screen />)
  await userEvent.click(opener)
  await expect.element(close).toHaveFocus()
  await expect.poll(() => overlays()).toBe(1)
}

/** Number of overlays in the state of the history entry. */
const overlays = (): unknown => (history.state as { overlays?: number } | null)?.overlays ?? 0

test('a sheet takes the focus; its own texts are its label and description', async () => {
  await openSheet()
  await expect.element(sheet).toHaveAccessibleName('Your balance')
  await expect.element(sheet).toHaveAccessibleDescription('What you have')
  const { width, height } = close.element().getBoundingClientRect()
  expect(Math.min(width, height)).toBeCloseTo(48)
})

test('a sheet is at the lower edge of a phone, and as wide as the phone', async () => {
  await openSheet()
  const panel = sheet.element().firstElementChild
  await expect.poll(() => panel?.getBoundingClientRect().bottom).toBe(innerHeight)
  expect(panel?.getBoundingClientRect().width).toBe(innerWidth)
})

test('Tab stays in a sheet, in both directions', async () => {
  await openSheet()
  const reached = new Set<string>()
  for (const shift of [false, false, false, false, true, true, true, true]) {
    await userEvent.tab({ shift })
    if (document.activeElement?.tagName === 'BUTTON')
      reached.add(document.activeElement.ariaLabel ?? document.activeElement.textContent)
  }
  expect([...reached].toSorted()).toEqual(['Close', 'Deposit'])
})

test.each([
  { way: 'Escape', leave: () => userEvent.keyboard('{Escape}') },
  { way: 'Back', leave: () => history.back() },
  { way: 'its button', leave: () => userEvent.click(close) },
  {
    way: 'a press beside it',
    leave: () => userEvent.click(sheet, { position: { x: 195, y: 20 } }),
  },
])('$way closes a sheet, and the focus returns to what opened it', async ({ leave }) => {
  await openSheet()
  await leave()
  await expect.element(sheet).not.toBeInTheDocument()
  await expect.element(opener).toHaveFocus()
  await expect.poll(() => overlays()).toBe(0)
})

test('a press that begins in the sheet and ends beside it does not close it', async () => {
  await openSheet()
  await userEvent.dragAndDrop(page.getByText('$1,000.00'), sheet, {
    targetPosition: { x: 195, y: 20 },
  })
  await userEvent.click(page.getByRole('button', { name: 'Deposit' }))
  await expect.element(sheet).toBeVisible()
})
