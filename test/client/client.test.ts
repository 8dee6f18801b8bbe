import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import openapiTypes, { astToString } from 'openapi-typescript'
import { expect, test } from 'vitest'
import { plainRoutes } from '#contract/plain-routes.ts'
import { createWorld } from '../world/world.ts'

const ROOT = join(import.meta.dirname, '../..')
const TYPES = join(ROOT, 'test/output/client')
/** The root's types do not know this script: it needs the generated ones. */
const SCRIPT = './main-job.ts'

test('a client generated from the API description can deposit, run a bot and pay out', async () => {
  const world = await createWorld()
  try {
    const address = await world.app.listen({ host: '127.0.0.1', port: 0 })
    const description = await (await fetch(`${address}${plainRoutes.openApi}`)).json()
    expect(await new Validator().validate(description)).toEqual({ valid: true })

    await mkdir(TYPES, { recursive: true })
    const types = await openapiTypes(description, { defaultNonNullable: false })
    await writeFile(join(TYPES, 'paths.ts'), astToString(types))
    await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), ['-p', import.meta.dirname])

    const { doMainJob } = await import(SCRIPT)
    expect(await doMainJob(address, () => world.hours(72))).toEqual({
      availableBalance: '1000.00',
      refusal: 'bot-amount-above-available',
      isSameBot: true,
      botsWorth: [expect.stringMatching(/^[56]\d\d\.\d\d$/)],
      hasReasons: true,
      withKey: { bots: 1, refused: 'key-scope' },
      withdrawn: '100.00',
      history: ['deposit', 'trade', 'transfer', 'withdrawal'],
    })
  } finally {
    await world.close()
  }
})
