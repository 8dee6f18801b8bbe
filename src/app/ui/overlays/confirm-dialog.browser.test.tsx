import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '../../../../test/parts/show.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

const question = page.getByRole('alertdialog', { name: 'Delete Steady?' })

function Question({ onConfirm }: { onConfirm: () => void }) {
  const [open, setOpen] = useState(true)
  return (
    <ConfirmDialog
      open={open}
      onCancel={() => setOpen(false)}
      onConfirm={onConfirm}
      question="Delete Steady?"
      confirmLabel="Delete bot"
      cancelLabel="Keep bot"
    >
      Its money returns to your balance.
    </ConfirmDialog>
  )
}

test('a dialog opens with the focus on its safe answer, and Escape gives that answer', async () => {
  const onConfirm = vi.fn()
  show(<Question onConfirm={onConfirm} />)
  await expect.element(page.getByRole('button', { name: 'Keep bot' })).toHaveFocus()
  await expect.element(question).toHaveAccessibleDescription('Its money returns to your balance.')
  await userEvent.keyboard('{Escape}')
  await expect.element(question).not.toBeInTheDocument()
  expect(onConfirm).not.toHaveBeenCalled()
})

test('a press beside a dialog leaves it open', async () => {
  const onConfirm = vi.fn()
  show(<Question onConfirm={onConfirm} />)
  await userEvent.click(question, { position: { x: 195, y: 20 } })
  await userEvent.click(page.getByRole('button', { name: 'Delete bot' }))
  expect(onConfirm).toHaveBeenCalledTimes(1)
})
