import fastify from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { isTest, readSources } from '../../../test/tidy/source.ts'
import { readConfig } from '../settings/config.ts'
import { serverOptions } from './server-options.ts'

test('no HTTP server times out while a plugin takes long to load', () => {
  const app = fastify(
    serverOptions({
      config: readConfig({ SESSION_SECRET: 'x'.repeat(32) }),
      log: pino({ level: 'silent' }),
    }),
  )
  expect(app.initialConfig).toMatchObject({ pluginTimeout: 0 })
  const calls = readSources()
    .filter(({ path }) => path.startsWith('src/server/') && !isTest(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\bfastify\(\{?\s*(\S*)/g)].map(([, first]) => `${path} ${first}`),
    )
  expect(calls.length).toBeGreaterThan(2)
  expect(
    calls.filter(
      (call) =>
        !call.endsWith(' ...serverOptions(context),') && !call.endsWith(' serverOptions(context))'),
    ),
  ).toEqual([])
})
