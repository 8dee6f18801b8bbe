import { expect, test } from 'vitest'
import type { Config } from '#server/settings/config.ts'
import { lengthOf } from '../world/length.ts'
import { SEED } from '../world/random.ts'
import { createWorld } from '../world/world.ts'
import { openPost, type ReadMail } from './post.ts'
import { INSIDER_CONFIG, runInsiders } from './insiders.ts'
import { runTakeovers, TAKEOVER_CONFIG } from './takeovers.ts'
import { sceneIn } from './scene.ts'

const COUNT = lengthOf({ usual: 8, full: 200 })

/** A single operator can do little, so few of his random orders of calls change anything. */
const INSIDERS = lengthOf({ usual: 14, full: 200 })

async function takeOverAll({
  config = {},
  loses,
}: { config?: Partial<Config>; loses?: (message: ReadMail) => boolean } = {}) {
  const post = openPost(loses)
  const world = await createWorld({
    config: { ...TAKEOVER_CONFIG, ...config },
    context: { mail: post.mail, push: post.push },
  })
  const tally = await runTakeovers(sceneIn(world, post), { count: COUNT, seed: SEED })
  await world.close()
  return tally
}

test('an account taken over pays nothing out within 24 hours; its owner is notified', async () => {
  const tally = await takeOverAll()
  expect(tally).toMatchObject({ takeovers: COUNT, stolen: 0n, unnoticed: 0 })
  // The test proves nothing unless thieves came far.
  expect(tally.waiting).toBeGreaterThan(0)
  expect(Math.min(...Object.values(tally.by))).toBeGreaterThan(0)
})

test('without holds, the same takeovers pay money out', async () => {
  const { stolen } = await takeOverAll({ config: { WITHDRAWAL_HOLD_HOURS: 0 } })
  expect(stolen).toBeGreaterThan(0n)
})

test('takeovers of owners who get no message are counted', async () => {
  const { unnoticed, changed } = await takeOverAll({
    loses: ({ text }) => text.includes('/not-me#'),
  })
  expect(unnoticed).toBe(changed)
  expect(changed).toBeGreaterThan(0)
})

async function sitAtAll({ count, persons = 1 }: { count: number; persons?: number }) {
  const post = openPost()
  const world = await createWorld({
    config: INSIDER_CONFIG,
    context: { mail: post.mail, push: post.push },
  })
  const tally = await runInsiders(sceneIn(world, post), { count, seed: SEED, persons })
  await world.close()
  return tally
}

test('an insider at an operator’s machine gets no money and leaves traces', async () => {
  const tally = await sitAtAll({ count: INSIDERS })
  expect(tally).toMatchObject({
    insiders: INSIDERS,
    stolen: 0n,
    unnoticed: 0,
    unaudited: 0,
    faults: [],
  })
  expect(tally.changes).toBeGreaterThan(0)
  expect(tally.sent).toBeGreaterThan(0n)
})

test('two colluding operators can steal money', async () => {
  const { stolen } = await sitAtAll({ count: COUNT, persons: 2 })
  expect(stolen).toBeGreaterThan(0n)
})
