import type { Page } from 'playwright-core'

/**
 * Words that say over which time a result was made: a day, a range of a chart, since a bot began,
 * or the period of a backtest.
 */
const SPANS = [
  /\bpast\b/i,
  /since the start/i,
  /\b(12[- ]month|12 months|a year|day|days|weeks?|hours?)\b/i,
  /\b(Gain|Loss) in (1D|1W|1M|1Y)\b/,
  /Total (gain|loss)/i,
  /\w{3} \d{1,2}(, \d{4})? (to|–) \w{3} \d{1,2}/,
]

/**
 * Percentages of gains and losses in whose section no words give the time over which they were
 * made.
 */
export async function percentagesWithoutSpan(page: Page): Promise<string[]> {
  const results = await page.evaluate(() => {
    const colored = [...document.querySelectorAll<HTMLElement>('.text-gain, .text-loss')]
    const shown = colored.filter(
      (element) => /\d\s?%/.test(element.innerText) && element.checkVisibility(),
    )
    return shown.map((element) => {
      const section = element.closest<HTMLElement>(
        'figure, section, dialog, [role="dialog"], form, main',
      )
      const row = element.closest<HTMLElement>('li')
      // The section's words stand for all of its rows; those of another row do not.
      const shared = section?.cloneNode(true)
      if (row !== null && shared instanceof HTMLElement)
        for (const other of shared.querySelectorAll('li')) other.remove()
      // A chosen range of time says it for the chart that it stands below.
      const range = section?.querySelector('[role="tab"][aria-selected="true"]')
      return {
        text: element.innerText,
        around: `${row?.innerText ?? ''} ${shared?.textContent ?? ''}`,
        range: range?.textContent,
      }
    })
  })
  return results
    .filter(
      ({ around, range }) => (range ?? null) === null && !SPANS.some((span) => span.test(around)),
    )
    .map(({ text }) => `${text}: over which time?`)
}
