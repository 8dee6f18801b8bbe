import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ResultLine } from './result-line.tsx'

/** Printing amounts reads the device's cookies. */
beforeAll(() => void vi.stubGlobal('document', { cookie: '' }))
afterAll(() => void vi.unstubAllGlobals())

const line = (amount: string, firstFees?: string) =>
  renderToStaticMarkup(
    <ResultLine amount={amount} percent="-0.02" firstFees={firstFees}>
      past day
    </ResultLine>,
  )

test('a loss up to the fees of the first day names them and has the color of text', () => {
  for (const amount of ['-0.01', '-0.11']) {
    const html = line(amount, '0.11')
    expect(html).toContain('text-ink ')
    expect(html).not.toMatch(/text-loss|past day/)
    expect(html.replaceAll(/<[^>]*>/g, '')).toMatch(/\$0\.11 trading fees so far$/)
  }
})

test.each([
  ['a larger loss', '-0.12', '0.11', 'text-loss'],
  ['a loss after the first day', '-0.05', undefined, 'text-loss'],
  ['a loss on a day without fees', '-0.01', '0.00', 'text-loss'],
  ['a gain', '0.05', '0.11', 'text-gain'],
])('%s keeps its color and its period', (_case, amount, fees, color) => {
  expect(line(amount, fees)).toMatch(new RegExp(`${color} .*past day`))
})
