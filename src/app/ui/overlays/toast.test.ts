import { afterEach, expect, test, vi } from 'vitest'
import { currentToast, dismissToast, onToastChange, showToast } from './toast.ts'

afterEach(() => vi.useRealTimers())

test('a new toast replaces the previous one', () => {
  showToast({ title: 'Bot Created' })
  showToast({ title: 'Bot Deleted', tone: 'destructive' })
  expect(currentToast()).toMatchObject({ title: 'Bot Deleted', tone: 'destructive', open: true })
})

test('a dismissed toast closes at once and is removed after 1,000,000 ms', () => {
  vi.useFakeTimers()
  showToast({ title: 'Address copied' })
  dismissToast(currentToast()?.id ?? 0)
  expect(currentToast()).toMatchObject({ open: false })
  vi.advanceTimersByTime(999_999)
  expect(currentToast()).toBeDefined()
  vi.advanceTimersByTime(1)
  expect(currentToast()).toBeUndefined()
})

test('listeners are called on every change until they unsubscribe', () => {
  const listener = vi.fn()
  const stop = onToastChange(listener)
  showToast({ title: 'Payment Successful' })
  stop()
  showToast({ title: 'Bot Created' })
  expect(listener).toHaveBeenCalledTimes(1)
})
