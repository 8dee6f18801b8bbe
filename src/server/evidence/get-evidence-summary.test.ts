import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Evidence } from '#contract/evidence.ts'
import { FIRST_BOT } from '#core/bots/first-bot.ts'
import { readShippedEvidence } from './shipped-evidence.ts'
import { createWorld, type World } from '../../../test/world/world.ts'

const { evidence: figures } = readShippedEvidence()
const moderate = figures.levels.find(({ riskLevel }) => riskLevel === FIRST_BOT.riskLevel)
const shipped: Evidence = {
  state: 'figures',
  feedLabel: 'Recorded Binance prices',
  disclaimer: '',
  note: null,
  source: null,
  figures,
}

let evidence = shipped
let world: World
beforeAll(async () => {
  world = await createWorld({
    context: {
      evidence: {
        now: () => evidence,
        soon: async () => evidence,
        ofGuards: async () => ({ state: 'none', sentence: '' }),
        ofBot: async () => ({ state: 'none', sentence: '' }),
        bundle: async () => null,
        stop: () => undefined,
      },
    },
  })
})
afterAll(() => world.close())

test('the summary has the past outcomes of the bot suggested to a new user', async () => {
  const { median, worst, best } = moderate ?? {}
  expect(await world.stranger().call('getEvidenceSummary')).toMatchObject({
    firstBot: { median: median?.percent, worst: worst?.percent, best: best?.percent },
  })
})

test('evidence of other coins is not said to be that of the suggested bot', async () => {
  for (const pairs of [figures.pairs.slice(1), [...figures.pairs, 'ADA/USDT' as const]]) {
    evidence = { ...shipped, figures: { ...figures, pairs } }
    expect(await world.stranger().call('getEvidenceSummary')).toMatchObject({ firstBot: null })
  }
})
