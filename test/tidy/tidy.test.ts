import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import durations from '../durations.json' with { type: 'json' }
import { catalogRules } from './catalog.ts'
import {
  brokenLinks,
  misplacedNames,
  missingPaths,
  notIndexedOnce,
  pathsOutside,
  readDocs,
  readTexts,
  unmappedFolders,
} from './docs.ts'
import { effectRules } from './effects.ts'
import { executionRules } from './execution.ts'
import { importCycles, importRules, schemasInApp } from './imports.ts'
import { repeatedSentences, sentenceRules, unusedRefusals } from './sentences.ts'
import { shapeRules } from './shape.ts'
import { parse, readSources, ROOT } from './source.ts'
import { statementRules } from './statements.ts'
import { explainedTwice, GLOSSARY, wordRules } from './words.ts'

const sources = readSources()

test.each([
  ...importRules,
  ...shapeRules,
  ...effectRules,
  ...executionRules,
  ...statementRules,
  ...wordRules,
  ...sentenceRules,
  ...catalogRules,
])('$name', ({ check, offender }) => {
  expect(check(parse(offender)), 'the rule does not see its own offender').not.toEqual([])
  expect(sources.flatMap(check)).toEqual([])
})

test('imports form no cycle', () => {
  const circle = [
    { path: 'src/core/a.ts', text: "import { b } from './b.ts'" },
    { path: 'src/core/b.ts', text: "import type { A } from '#core/a.ts'" },
  ]
  expect(importCycles(circle.map(parse))).toEqual(['src/core/a.ts → src/core/b.ts → src/core/a.ts'])
  expect(importCycles(sources)).toEqual([])
})

test('the app imports no schemas, only their types', () => {
  const schemas = { path: 'src/contract/market.ts', text: "import { z } from 'zod'" }
  const offender = {
    path: 'src/app/home/ranges.ts',
    text:
      "import type { Price } from '#contract/market.ts'\nimport { RANGES, type Prices } from " +
      "'#contract/market.ts'",
  }
  expect(schemasInApp([schemas, offender].map(parse))).toEqual([
    'src/app/home/ranges.ts:2 imports schemas',
  ])
  expect(schemasInApp(sources)).toEqual([])
})

test('no sentence of the product is written twice', () => {
  const twins = [
    { path: 'src/core/bots/bot.ts', text: "const sentence = 'Each pair can be selected once.'" },
    {
      path: 'src/app/bots/form.tsx',
      text: 'const note = <p>\n  Each pair can be\n  selected once.\n</p>',
    },
  ]
  expect(repeatedSentences(twins.map(parse))).toEqual([
    '"Each pair can be selected once." stands in src/core/bots/bot.ts:1 and ' +
      'src/app/bots/form.tsx:2',
  ])
  expect(repeatedSentences(sources)).toEqual([])
})

test('every refusal is thrown somewhere', () => {
  const dead = [
    { path: 'src/core/refusal.ts', text: "export type RefusalCode = 'not-found' | 'bot-lost'" },
    { path: 'src/server/bots/delete-bot.ts', text: "throw new Refusal('not-found')" },
  ]
  expect(unusedRefusals(dead.map(parse))).toEqual(['src/core/refusal.ts lists bot-lost'])
  expect(unusedRefusals(sources)).toEqual([])
})

test('every path that the documents name exists', () => {
  expect(missingPaths({ path: 'README.md', text: 'see `src/core/nowhere.ts`' })).not.toEqual([])
  expect(readDocs().flatMap(missingPaths)).toEqual([])
})

test('every name that the documents find in a file is in that file', () => {
  const offenders = ['`nobody` in `test/tidy/docs.ts`', '`nobody` (`test/tidy/docs.ts`, which']
  for (const text of offenders)
    expect(misplacedNames({ path: 'README.md', text })).toEqual([
      'README.md finds nobody in test/tidy/docs.ts',
    ])
  expect(readDocs().flatMap(misplacedNames)).toEqual([])
})

test('every link of the documents leads somewhere', () => {
  const offenders = ['[a](docs/nowhere.md)', '[b](README.md#nowhere)', '[c](#nowhere)']
  for (const text of offenders) expect(brokenLinks({ path: 'README.md', text })).not.toEqual([])
  expect(readDocs().flatMap(brokenLinks)).toEqual([])
})

test('the index of the documents has each of them once', () => {
  const index = readFileSync(join(ROOT, 'docs/README.md'), 'utf8')
  expect(notIndexedOnce(index.replace('(keys.md)', '(limits.md)'))).toEqual([
    'keys.md',
    'limits.md',
  ])
  expect(notIndexedOnce(index)).toEqual([])
})

test('the map of the architecture has every folder of the app and of the server', () => {
  const map = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
  expect(unmappedFolders(map.replace('wallets week', 'week').replace('threads · ', ''))).toEqual([
    'src/app/wallets',
    'src/server/threads',
  ])
  expect(unmappedFolders(map)).toEqual([])
})

test('the glossary explains each word once', () => {
  const twice = '| word | meaning |\n|---|---|\n| proof, bundle | a file |\n| proof | of a payout |'
  expect(explainedTwice(twice)).toEqual(['proof'])
  expect(explainedTwice(GLOSSARY)).toEqual([])
})

test('every file of the long tier exists', () => {
  const files = Object.keys(durations)
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})

test('no file names a path outside the repository', () => {
  const up = '../'
  const offenders = [
    { path: 'src/server/settings/settings.ts', text: `default('${up}shared/market')` },
    { path: 'test/a.test.ts', text: `resolve(import.meta.dirname, '${up}${up}market')` },
    { path: '.env.example', text: `MARKET_DATA_DIR=${up}candles/hourly` },
    { path: 'docs/scale.md', text: `see [there](${up}${up}notes.md)` },
    { path: 'scripts/a.mjs', text: ['', 'home', 'ada', 'candles'].join('/') },
  ]
  expect(offenders.map((offender) => pathsOutside(offender).length)).toEqual(offenders.map(() => 1))
  expect(readTexts().flatMap(pathsOutside)).toEqual([])
})
