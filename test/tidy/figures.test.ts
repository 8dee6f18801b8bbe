import { expect, test } from 'vitest'
import { filesPerAction, ruleFigures, shapeFigures, sizeFigures, spread } from './figures.ts'
import { parse } from './source.ts'

const NESTED =
  'function deep(a: boolean) {\n  if (a) {\n    while (a) {\n      a = false\n    }\n  }\n}\n'
const SOURCES = [
  { path: 'src/core/nested.ts', text: NESTED },
  { path: 'src/server/bots/one.ts', text: "import { two } from './two.ts'\n" },
  { path: 'src/server/bots/two.ts', text: "// One\n// and two.\nimport { one } from './one.ts'\n" },
  { path: 'src/core/nested.test.ts', text: `const long = '${'x'.repeat(200)}'\n` },
].map(parse)

test('figures are computed from the sources', () => {
  expect(Object.fromEntries(shapeFigures(SOURCES))).toMatchObject({
    'characters per function': 'median 64, p90 64, max 64',
    'deepest nesting': '2',
    'import cycles of server': '1',
    'import cycles of app': '0',
    'lines over 100 characters': '0, and 1 outside of src',
    'comment lines': '18.2 %',
  })
  expect(Object.fromEntries(sizeFigures(SOURCES))).toMatchObject({
    'src/core': '65',
    'src/server': '81',
    tests: '216',
    'tests to product': '1.48',
  })
})

test('an action counts the files that contain its call or use a function that makes it', () => {
  const product = [
    { path: 'src/server/bots/create-bot.ts', text: 'export const createBot = () => undefined' },
    {
      path: 'src/app/api/queries.ts',
      text: "export function useCreateBot() { return useCall('createBot') }",
    },
    {
      path: 'src/app/bots/form.tsx',
      text: "import { useCreateBot } from '#app/api/queries.ts'\nuseCreateBot()",
    },
    { path: 'src/app/bots/other.tsx', text: "import { useBots } from '#app/api/queries.ts'" },
  ].map(parse)
  expect(Object.fromEntries(filesPerAction(product))['createBot']).toEqual([
    'src/server/bots/create-bot.ts',
    'src/app/api/queries.ts',
    'src/app/bots/form.tsx',
  ])
})

test('every rule of this folder is counted', async () => {
  const found = Object.fromEntries(
    await ruleFigures([parse({ path: 'src/core/loose.ts', text: 'const loose = value as any' })]),
  )
  expect(found).toMatchObject({
    'nothing is of type any': '1',
    'no float touches money': '0',
    'the server imports downward only': '0',
    'import cycles': '0',
  })
})

test('a spread is the median, the ninth decile and the largest value', () => {
  expect(spread([10, 1, 2, 3, 4, 5, 6, 7, 8, 9])).toBe('median 6, p90 10, max 10')
  expect(spread([])).toBe('median 0, p90 0, max 0')
})
