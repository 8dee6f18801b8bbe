import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readableLog } from './readable-log.ts'

/** Output of a logger to a terminal without colors, with its times replaced. */
function written(use: (log: pino.Logger) => void): string {
  const terminal = new PassThrough()
  use(pino({ base: null, level: 'debug' }, readableLog(terminal)))
  return String(terminal.read()).replace(/^\d\d:\d\d:\d\d/gm, 'hh:mm:ss')
}

test('an entry has its time, its message and its fields', () => {
  expect(
    written((log) =>
      log.info({ offsetMs: 12, lacking: ['BTC/USDT'], pair: 'ETH/USDT' }, 'the clock agrees'),
    ),
  ).toBe('hh:mm:ss the clock agrees  offsetMs=12  lacking=["BTC/USDT"]  pair=ETH/USDT\n')
})

test('the level is printed unless it is information', () => {
  const lines = written((log) => {
    log.debug('one')
    log.info('two')
    log.warn('three')
    log.error('four')
  })
  expect(lines).toBe(
    'hh:mm:ss DEBUG one\nhh:mm:ss two\nhh:mm:ss WARN  three\nhh:mm:ss ERROR four\n',
  )
})

test("an error's stack follows below its message", () => {
  const lines = written((log) => log.error({ err: new Error('lost') }, 'a job failed'))
  expect(lines).toMatch(/^hh:mm:ss ERROR a job failed\nError: lost\n {4}at /)
})

test.each([
  '\n00:00:00 a line of somebody else',
  '\r\n',
  '\u001b[2K\u001b[1G',
  '\u009b2K',
  '\u2028',
  '\u202e',
])('an entry with %j in any part starts no new line and controls no terminal', (forgery) => {
  const lines = written((log) =>
    log.warn(
      {
        [`a${forgery}`]: forgery,
        list: [forgery],
        err: {
          message: `lost ${forgery}`,
          stack: `Error: lost ${forgery}\n    at work (work.ts:1)`,
        },
      },
      `said ${forgery}`,
    ),
  ).split('\n')
  expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u)
  expect(lines.filter((line) => /^\d\d:|^hh:/.test(line))).toHaveLength(1)
})
