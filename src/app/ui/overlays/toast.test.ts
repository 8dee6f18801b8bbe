import { afterEach, expect, test, vi } from 'vitest'
import { currentToast, dismissToast, onToastChange, showToast } from './toast.ts'

afterEach(() => vi.useRealTimers())

test('a new toast takes the place of the one before', () => {
  showToast({ title: 'Bot Created' })
  showToast({ title: 'Bot Deleted', tone: 'destructive' })
  expect(currentToast()).toMatchObject({ title: 'Bot Deleted', tone: 'destructive', open: true })
})

test('a dismissed toast closes at once and leaves after 1,000,000 ms', () => {
  vi.useFakeTimers()
  showToast({ title: 'Address copied' })
  dismissToast(currentToast()?.id ?? 0)
  expect(currentToast()).toMatchObject({ open: false })
  vi.advanceTimersByTime(999_999)
  expect(currentToast()).toBeDefined()
  vi.advanceTimersByTime(1)
  expect(currentToast()).toBeUndefined()
})

test('those who listen hear of every change until they stop', () => {
  const heard = vi.fn()
  const stop = onToastChange(heard)
  showToast({ title: 'Payment Successful' })
  stop()
  showToast({ title: 'Bot Created' })
  expect(heard).toHaveBeenCalledTimes(1)
})
