import { flushSync } from 'react-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '../../../../test/parts/show.ts'
import { Sheet } from './sheet.tsx'
import { ToastOutlet } from './toast-outlet.tsx'
import { currentToast, dismissToast, holdToast, showToast } from './toast.ts'

const toast = page.getByRole('listitem')
const dismiss = page.getByRole('button', { name: 'Dismiss' })

afterEach(() => {
  dismissToast(currentToast()?.id ?? 0)
  vi.useRealTimers()
})

/** A toast on a screen, without the pointer on it. Its timer is stopped. */
async function showOne(): Promise<void> {
  show(
    <>
      <h1>Home</h1>
      <ToastOutlet />
    </>,
  )
  await userEvent.hover(page.getByRole('heading'))
  showToast({ title: 'Bot Created' })
  await expect.element(toast).toBeVisible()
  holdToast()
}

/**
 * A toast whose timer the test advances. Nothing may be awaited meanwhile, because Vitest would
 * advance the timer too.
 */
async function showTimed(): Promise<void> {
  await showOne()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  flushSync(() => showToast({ title: 'Bot Deleted' }))
}

/** Whether the toast closes in exactly this time. */
function closesIn(ms: number): boolean {
  vi.advanceTimersByTime(ms - 1)
  const isOpen = currentToast()?.open
  vi.advanceTimersByTime(1)
  return isOpen === true && currentToast()?.open === false
}

test('a new toast takes the place of the one before', async () => {
  await showOne()
  showToast({ title: 'Bot Deleted' })
  await expect.element(toast).toHaveTextContent('Bot Deleted')
  expect(toast.elements()).toHaveLength(1)
})

test('a toast is announced politely, an error at once', async () => {
  await showOne()
  expect(toast.element().closest('[aria-live=polite]')).not.toBeNull()
  expect(page.getByRole('alert').elements()).toHaveLength(0)
  showToast({ title: 'Bot Not Created', tone: 'destructive' })
  await expect.element(page.getByRole('alert')).toHaveTextContent('Bot Not Created')
})

test('a toast closes after five seconds', async () => {
  await showTimed()
  expect(closesIn(5_000)).toBe(true)
  vi.useRealTimers()
  await expect.element(toast).not.toBeInTheDocument()
})

test.each([
  {
    use: 'the pointer is on it',
    begin: () => toast.element().dispatchEvent(new PointerEvent('pointerenter')),
    end: () => toast.element().dispatchEvent(new PointerEvent('pointerleave')),
  },
  {
    use: 'the focus is in it',
    begin: () => dismiss.element().focus(),
    end: () => dismiss.element().blur(),
  },
])('the time of a toast is paused while $use', async ({ begin, end }) => {
  await showTimed()
  vi.advanceTimersByTime(3_000)
  begin()
  vi.advanceTimersByTime(60_000)
  expect(currentToast()?.open).toBe(true)
  end()
  expect(closesIn(2_000)).toBe(true)
})

test('F8 moves the focus to a toast, and Tab to its button of 48 px', async () => {
  await showOne()
  await userEvent.keyboard('{F8}')
  await expect.element(page.getByRole('list')).toHaveFocus()
  await userEvent.tab()
  await expect.element(dismiss).toHaveFocus()
  const { width, height } = dismiss.element().getBoundingClientRect()
  expect(Math.min(width, height)).toBeCloseTo(48)
  await userEvent.keyboard('{Enter}')
  await expect.element(toast).not.toBeInTheDocument()
})

test('Escape dismisses a toast', async () => {
  await showOne()
  await userEvent.keyboard('{Escape}')
  await expect.element(toast).not.toBeInTheDocument()
})

/** Drags the toast by this many pixels and releases it. */
async function pull(px: number): Promise<void> {
  await userEvent.dragAndDrop(toast, toast, {
    sourcePosition: { x: 100, y: 20 },
    targetPosition: { x: 100 + px, y: 20 },
  })
}

test('a toast swiped right by more than 50 px is dismissed', async () => {
  await showOne()
  await pull(60)
  await expect.element(toast).not.toBeInTheDocument()
})

test.each([40, -60])('a toast swiped by %i px returns to its place', async (px) => {
  await showOne()
  await pull(px)
  expect(currentToast()?.open).toBe(true)
  await expect.element(toast).not.toHaveAttribute('style', expect.stringContaining('translate'))
})

test('a toast appears in the open sheet, and Escape closes the sheet before it', async () => {
  const onClose = vi.fn()
  show(
    <>
      <ToastOutlet />
      <Sheet open onClose={onClose} title="Balance">
        $1,000.00
      </Sheet>
    </>,
  )
  showToast({ title: 'Bot Created' })
  await expect.element(page.getByRole('dialog').getByRole('listitem')).toBeVisible()
  expect(toast.elements()).toHaveLength(1)
  await userEvent.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalled()
  expect(currentToast()?.open).toBe(true)
})
