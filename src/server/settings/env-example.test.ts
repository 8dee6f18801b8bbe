import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isTest, readSources, ROOT } from '../../../test/tidy/source.ts'
import { SECRET_SETTINGS, Settings } from './settings.ts'

/** Node's own, which is only read to refuse it. */
const OF_NODE = 'NODE_TLS_REJECT_UNAUTHORIZED'
const names = Object.keys(Settings.shape).filter((name) => name !== OF_NODE)

/** Lines with a setting; commented if it has no default. A line of a sentence has `: ` in it. */
const lines = readFileSync(join(ROOT, '.env.example'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, comment, name = '', value = ''] = /^(# )?([A-Z_]+)=(?!.*: )(.*)$/.exec(line) ?? []
    return name === '' ? [] : [{ name, value, hasDefault: comment === undefined }]
  })

test('.env.example has each setting once, and nothing else', () => {
  expect(lines.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
})

test('.env.example has the default of each setting that has one', () => {
  const given = lines.filter(({ hasDefault }) => hasDefault)
  const defaults = Settings.parse({})
  expect(given.map(({ name }) => name).toSorted()).toEqual(Object.keys(defaults).toSorted())
  expect(Settings.parse(Object.fromEntries(given.map(({ name, value }) => [name, value])))).toEqual(
    defaults,
  )
})

test('each setting is read somewhere', () => {
  const sources = readSources().filter(({ path }) => path.startsWith('src/') && !isTest(path))
  const listed = 'src/server/settings/settings.ts'
  const end = SECRET_SETTINGS.at(-1) ?? ''
  const readers = sources
    // In the file of the settings, only what follows its lists reads them.
    .map(({ path, text }) => (path === listed ? text.slice(text.lastIndexOf(`'${end}',`)) : text))
    .join('\n')
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(readers))).toEqual([])
})
