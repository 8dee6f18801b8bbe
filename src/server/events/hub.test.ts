import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { BEAT_INTERVAL_MS } from '#contract/events.ts'
import { openHub } from './hub.ts'

afterEach(() => vi.useRealTimers())

test('a stream on which nothing happens hears a beat, an event that scripts can hear', () => {
  vi.useFakeTimers()
  const hub = openHub()
  const stream = new ServerResponse(new IncomingMessage(new Socket()))
  const written = vi.spyOn(stream, 'write').mockReturnValue(true)
  hub.add(stream, undefined)
  vi.advanceTimersByTime(BEAT_INTERVAL_MS - 1)
  expect(written).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(written.mock.calls.map(([text]) => String(text))).toEqual(['event: beat\ndata: {}\n\n'])
  hub.close()
})
