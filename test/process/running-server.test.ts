import { expect, test } from 'vitest'
import { isPortFree } from '#server/db/embedded/access.ts'
import { freePort, reserve } from './running-server.ts'

test('a free port is handed to one test alone, also while its server is down', async () => {
  const port = await freePort()
  expect(await isPortFree(port)).toBe(true)
  expect(await reserve(port)).toBe(false)
})
