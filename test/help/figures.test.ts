import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Evidence } from '#contract/evidence.ts'
import { MINIMUM_INVESTMENT } from '#core/bots/bot.ts'
import { TARGETS } from '#core/evidence/target.ts'
import { SCORED_FALL } from '#core/forecast/range.ts'
import { parseArticle } from '#core/help/article.ts'
import { HOLDOUT, LARGEST_FALLS, rowAtCosts } from '#core/luck/holdout.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { totalCostBps } from '#core/trading/costs.ts'
import { MINIMUM_WITHDRAWAL } from '#core/withdrawals/withdrawal.ts'
import catalog from '#words/de.json' with { type: 'json' }
import { readShippedEvidence } from '#server/evidence/shipped-evidence.ts'
import { openLibrary } from '#server/help/library.ts'
import { recordedFiles } from '#server/market/recorded-candles.ts'
import { createWorld, type TestUser, type World } from '../world/world.ts'
import { config, costs, FACTS } from './facts.ts'
import { pattern } from '../world/pattern.ts'

/** A percentage or an amount of dollars as a text has it typed. */
const TYPED = pattern(
  /\d[\d.,]*(?:[-–]\d[\d.,]*)?[ \u00a0]?(?:%|percent\b|Prozent\b|basis points|Basispunkte)/,
  /|\$\d(?:[\d.,]*\d)?|\d[\d.,]*[ \u00a0]\$/g,
)

/** Figures that are neither the product's nor past results, such as notations. */
const NOTATION: Readonly<Record<string, readonly string[]>> = {
  'daily-change': ['$0.00', '0.00%'],
  'trade-reasons': ['$61,150.00'],
}

/** A body as an article of either language has it, without its facts in braces. */
const typedBody = (text: string): string =>
  text.slice(text.indexOf('\n---\n')).replaceAll(/\{[\w-]+\}/g, '')
const pages = readdirSync('docs/help', { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.md') && !name.startsWith('de/'),
)

test.each(pages)('%s has no unchecked figure of money or percent, in either language', (name) => {
  const [english, german] = ['docs/help', 'docs/help/de'].map((folder) =>
    typedBody(readFileSync(`${folder}/${name}`, 'utf8')),
  )
  const id = name.replace(/^.*\/|\.md$/g, '')
  const checked = FACTS.flatMap(([article, statement]) => (article === id ? [statement] : []))
  const unchecked = (english?.match(TYPED) ?? []).filter(
    (figure) =>
      ![
        ...(NOTATION[id] ?? []),
        ...checked.flatMap((statement) => statement.match(TYPED) ?? []),
      ].includes(figure),
  )
  expect(unchecked, 'fill it in with a fact, or hold it to the code in facts.ts').toEqual([])
  expect(numbersIn(german ?? '', 'de')).toEqual(numbersIn(english ?? '', 'en'))
})

test('the pattern finds amounts and percents typed into a text, in both languages', () => {
  const text = 'They returned about 5 % to 12% and $3.50, im Jahr 6\u00a0% oder 1.000 $.'
  expect(text.match(TYPED)).toEqual(['5 %', '12%', '$3.50', '6\u00a0%', '1.000 $'])
})

/** All numbers of a text, in one spelling and in order of size. */
function numbersIn(text: string, language: 'en' | 'de'): number[] {
  const plain =
    language === 'en'
      ? text.replaceAll(/(\d),(?=\d{3})/g, '$1')
      : text.replaceAll(/(\d)\.(?=\d{3})/g, '$1').replaceAll(/(\d),(?=\d)/g, '$1.')
  return [...plain.matchAll(/\d+(?:\.\d+)?/g)]
    .map(([figure]) => Number(figure))
    .toSorted((a, b) => a - b)
}

/** Messages with such figures, and the values of the code. */
const LUCK = readFileSync('src/core/luck/luck.ts', 'utf8')
const numberAfter = (name: string): number =>
  Number(new RegExp(`const ${name} = ([\\d.]+)`).exec(LUCK)?.[1])
const targets = RISK_LEVELS.map((level) => `${TARGETS[level].from}-${TARGETS[level].to}%`).join(
  ', ',
)
const MESSAGES: readonly string[] = [
  `Up to ${TARGETS.aggressive.to}% Returns`,
  `"Up to ${TARGETS.aggressive.to}% Returns" is a target, not a promise: you can lose money. ` +
    `The ranges beside the risk levels (${targets}) are targets too.`,
  `The returns shown beside the levels (${targets}) are targets, not promises`,
  'Please enter an amount of at least ' +
    `${englishMoneyText({ amount: MINIMUM_WITHDRAWAL, precision: 'whole' })}.`,
  'Please enter a worth of at least ' +
    `${englishMoneyText({ amount: MINIMUM_INVESTMENT, precision: 'whole' })}.`,
  'A result counts as more than luck if its deflated Sharpe ratio compared with holding is ' +
    `at least ${numberAfter('CONFIDENCE') * 100}%. ` +
    'The probability of overfitting must also be below ' +
    `${numberAfter('OVERFITTED') * 100}%.`,
  `Chance of a fall of ${SCORED_FALL * 100}% or more`,
  `Horizontal: the forecast chance of a fall of ${SCORED_FALL * 100}% or more within {hours} ` +
    'hours. Vertical: how often it happened. Both in percent; on the line, they are equal.',
]
/**
 * Units, words for the ends of a scale, and the percentages of bands and ranges, whose values are
 * tested with the bootstrap and the range model.
 */
const SCALES = [
  '100 bps are 1%',
  'below 0.000001%',
  '90% of',
  'from 1 to 99 percent',
  '80% range',
  '95% range',
]

test('no message of a screen has an unchecked figure of money or percent', () => {
  const typed = Object.keys(catalog).filter((message) => message.search(TYPED) >= 0)
  expect(MESSAGES.filter((message) => !typed.includes(message))).toEqual([])
  expect(
    typed.filter(
      (message) => !MESSAGES.includes(message) && !SCALES.some((scale) => message.includes(scale)),
    ),
  ).toEqual([])
})

const signed = (figure: string) =>
  figure.startsWith('-') ? figure.replace('-', '\u2212') : `+${figure}`
/**
 * The evidence that comes with the product, at the costs of this book; test/evidence computes it
 * again.
 */
const shownResults = readShippedEvidence().evidence.levels.map(
  ({ riskLevel, median, worst, losingPercent, deepestFall }) => ({
    level: riskLevel,
    median: signed(median.percent),
    worst: signed(worst.percent),
    lost: losingPercent,
    fall: deepestFall,
  }),
)
const GERMAN_LEVELS = {
  conservative: 'konservativ',
  moderate: 'moderat',
  aggressive: 'offensiv',
}
const inGerman = (figure: string) => `${figure.replace('.', ',')}\u00a0%`

describe('past results in the help of a running product', () => {
  let world: World
  let user: TestUser
  beforeAll(async () => {
    world = await createWorld({ context: { recorded: () => recordedFiles(), costs } })
    user = await world.user()
  })
  afterAll(() => world.close())

  const read = async (id: string, language: string): Promise<string> => {
    const { body } = await world.app.inject({
      url: `/api/help/articles?id=${id}`,
      headers: {
        cookie: user.cookie,
        'accept-language': language,
        'sec-fetch-site': 'same-origin',
      },
    })
    return (JSON.parse(body) as { body: string }).body
  }

  test('past results are computed from the shipped candles, in both languages', async () => {
    const [returns, falls, ertrag, gefallen] = await Promise.all([
      read('returns', 'en'),
      read('losing-money', 'en'),
      read('returns', 'de'),
      read('losing-money', 'de'),
    ])
    expect(returns).toContain(
      'Recorded Binance prices, Dec 10, 2020 to Sep 19, 2025, all periods of twelve months',
    )
    for (const { level, median, worst, lost, fall } of shownResults) {
      expect(returns).toContain(`${level} median ${median}%, worst ${worst}%, ${lost}% lost money`)
      expect(falls).toContain(`${level} ${fall}%`)
      expect(ertrag).toContain(
        `${GERMAN_LEVELS[level]} Median ${inGerman(median)}, schlechtestes ` +
          `${inGerman(worst)}, ${inGerman(lost)} mit Verlust`,
      )
      expect(gefallen).toContain(`${GERMAN_LEVELS[level]} ${inGerman(fall)}`)
    }
    expect(falls).toContain(`with all ${recordedFiles().length} coins`)
    expect(await read('risk-levels', 'en')).toContain(`aggressive ${shownResults[2]?.fall}%`)
  })

  test('past results in the chat are those of the Evidence page', async () => {
    const evidence = await world.context.evidence.soon(50_000)
    const { message } = await user.call('askHelp', { body: { message: 'Can I lose money?' } })
    if (evidence.state !== 'figures') throw new Error('no evidence')
    for (const { riskLevel, deepestFall } of evidence.figures.levels)
      expect(message).toContain(`${riskLevel} ${deepestFall}%`)
  })

  test('name the audit if the candles are not shipped, with the figures of its rows', async () => {
    const [returns, falls] = await Promise.all([read('returns', 'en'), read('losing-money', 'en')])
    const percent = (figure: string) => `${signed(figure)}%`
    const side = (bps: number) => `at costs of ${(bps / 100).toFixed(2)}% per trade`
    for (const result of HOLDOUT) {
      const { costsBps, levels } = rowAtCosts(result, totalCostBps(costs))
      const ofLevels = RISK_LEVELS.map((level) => `${level} ${percent(levels[level].percent)}`)
      expect(returns).toContain(
        `${side(costsBps)}: ${ofLevels.join(', ')}; held ${percent(result.held.percent)}.`,
      )
    }
    expect(returns).toMatch(
      /audit .*7 other coins together, per year.*9 coins together since then, in total/s,
    )
    expect(falls).toContain(
      'an independent audit measured this. LTC alone, Sep 20, 2021 to Sep 20, 2025, ' +
        `${side(LARGEST_FALLS.costsBps)}: ` +
        `${RISK_LEVELS.map((level) => `${level} ${LARGEST_FALLS.levels[level]}%`).join(', ')}.`,
    )
  })
})

test('an article whose market has no evidence says so and states no figure', () => {
  const none = (): Evidence => ({ state: 'none', feedLabel: '', disclaimer: '', sentence: '' })
  const library = openLibrary(config, { costs, evidence: none })()
  expect(library.article('risk-levels')?.body).toContain(
    'No figures have been computed here so far.',
  )
  expect(
    parseArticle('---\nid: a\ntitle: A\n---\n\n{now}', { now: () => 'as it is now' }).body,
  ).toBe('as it is now')
})
