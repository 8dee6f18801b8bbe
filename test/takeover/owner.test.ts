import { hash, verify } from '@node-rs/argon2'
import { expect, test, vi } from 'vitest'
import { brokenAccounts } from '../world/broken-accounts.ts'
import { lengthOf } from '../world/length.ts'
import { SEED } from '../world/random.ts'
import { createWorld } from '../world/world.ts'
import { noLives, runLives } from './lives.ts'
import { openPost } from './post.ts'
import { sceneIn } from './scene.ts'
import { TAKEOVER_CONFIG } from './takeovers.ts'

// A life sets and checks passwords all the time, and each would take a core for 50 ms. Nobody
// guesses one here.
vi.mock('#server/auth/password.ts', () => ({
  isOutdated: () => false,
  hashPassword: (password: string) => hash(password, CHEAP),
  verifyPassword: async (stored: string | undefined, password: string) =>
    stored !== undefined && verify(stored, password),
}))
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/**
 * A life takes 0.15 s of computing, a third of it in the database. `npm run bench -- takeover` runs
 * 10,000.
 */
const COUNT = Number(process.env['TAKEOVER_LIVES'] ?? lengthOf({ usual: 200, full: 1_000 }))
/** Each payout checks the seals of the whole book, so a new one begins after this many lives. */
const LIVES_A_BOOK = 1_000

test('an owner who presses "This was not me" and sets a password is in control', async () => {
  const lives = noLives()
  const broken: unknown[] = []
  for (let first = 0; first < COUNT && lives.lives === first; first += LIVES_A_BOOK) {
    const post = openPost()
    const world = await createWorld({
      config: TAKEOVER_CONFIG,
      context: { mail: post.mail, push: post.push },
    })
    const until = Math.min(COUNT, first + LIVES_A_BOOK)
    await runLives(sceneIn(world, post), { tally: lives, until, seed: SEED })
    broken.push(...(await brokenAccounts(world.context)))
    await world.close()
  }
  if (process.env['TAKEOVER_LIVES'] !== undefined) console.log(lives)
  expect(lives).toMatchObject({
    lives: COUNT,
    stolen: 0n,
    lockedOut: 0,
    surviving: 0,
    untold: 0,
    misleading: 0,
    faults: [],
  })
  expect(broken, 'nobody wrote past the product').toEqual([])
  // The test proves nothing unless thieves came far.
  expect(Object.values(lives.pressed).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(
    COUNT / 2,
  )
  expect(Math.min(...Object.values(lives.undone))).toBeGreaterThan(0)
})
