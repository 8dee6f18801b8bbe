import { expect, test } from 'vitest'
import { trainClassifier, type Classifier, type Example } from './classifier.ts'
import { ENGLISH } from './english.ts'
import { openFamiliarity } from './familiarity.ts'
import { featuresOf } from './features.ts'

const { vocabulary } = ENGLISH
const TEXTS = {
  deposit: ['add money by card', 'top up my balance'],
  withdraw: ['send it to my bank', 'cash out'],
  bots: ['create a robot', 'how does a bot trade'],
}
const examples = Object.entries(TEXTS).flatMap(([label, texts]) =>
  texts.map((text): Example => ({ features: featuresOf(text, vocabulary), label })),
)
const { labels, classify } = train()

function train(): Classifier {
  const training = trainClassifier(examples)
  for (let step = training.next(); ; step = training.next()) if (step.done) return step.value
}

function best(text: string): string | undefined {
  const shares = classify(featuresOf(text, vocabulary))
  return labels[shares.indexOf(Math.max(...shares))]
}

test('a question gets the label of the phrasings that it resembles, despite typos', () => {
  expect(['can I add mony with a card?', 'to my bank please', 'trading robots'].map(best)).toEqual([
    'deposit',
    'withdraw',
    'bots',
  ])
})

test('the probabilities of all labels sum to 1; without a known feature no label is likely', () => {
  const shares = classify(featuresOf('zzz', vocabulary))
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1)
  expect(Math.max(...shares)).toBeCloseTo(1 / labels.length)
})

test('the same examples give the same classifier', () => {
  const again = train().classify(featuresOf('cash out to my bank', vocabulary))
  expect(again).toEqual(classify(featuresOf('cash out to my bank', vocabulary)))
})

test('terms of questions about the product are familiar; other terms are not', () => {
  const familiarityOf = openFamiliarity(
    {
      inside: Object.values(TEXTS).flat(),
      outside: ['will it rain', 'bake a cake', 'tie a knot', 'play a song', 'a joke', 'good film'],
      pages: Object.values(TEXTS).flat(),
    },
    vocabulary,
  )
  expect(familiarityOf('my bank').terms).toBeGreaterThan(0)
  expect(familiarityOf('rain').terms).toBeLessThan(0)
  expect([
    familiarityOf('my bank').strange,
    familiarityOf('bank rain').strange,
    familiarityOf('zzz').strange,
  ]).toEqual([0, 0.5, 1])
  expect(familiarityOf('zzz').terms).toBeLessThan(0)
  expect(familiarityOf('')).toEqual({ terms: 0, strange: 0 })
})
