import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { GuardList } from './guard-list.tsx'

/** Amounts read the cookies of the device. */
beforeAll(() => void vi.stubGlobal('document', { cookie: '' }))
afterAll(() => void vi.unstubAllGlobals())

const GUARDS = {
  stopLossPercent: 10,
  stopLossFrom: 'best',
  takeProfitPercent: 20,
  dailyLossPercent: null,
  coolDownDays: 3,
} as const

function linesOf(equity: string, isWatched = true): string[] {
  const guardLevels = { stopLoss: '450.00', takeProfit: '600.00', dailyLoss: null }
  const bot = { equity, guardLevels: isWatched ? guardLevels : null }
  const markup = renderToStaticMarkup(<GuardList guards={GUARDS} bot={bot} />)
  return markup
    .split('</li>')
    .map((line) => line.replaceAll(/<p[^>]*>/g, ' · ').replaceAll(/<[^>]*>/g, ''))
    .filter(Boolean)
}

test('each guard shows its distance from the worth now, in money and in percent', () =>
  expect(linesOf('500.00')).toEqual([
    'Stops at 10% below its high · At $450.00: $50.00 (10.00%) below its worth now.',
    'Takes profit at a gain of 20% · At $600.00: $100.00 (20.00%) above its worth now.',
    'Restarts after 3 days',
  ]))

test.each([
  [
    '450.00',
    0,
    'Stops at 10% below its high · At $450.00: reached. The guard acts at the end of the hour.',
  ],
  [
    '600.00',
    1,
    'Takes profit at a gain of 20% · At $600.00: reached. The guard acts at the end of the hour.',
  ],
])('at %s a guard is reached', (equity, line, text) => expect(linesOf(equity)[line]).toBe(text))

test('guards that are not active show no distance', () =>
  expect(linesOf('500.00', false).join()).not.toContain('worth'))
