import { availableParallelism } from 'node:os'
import { openThreads } from '#server/threads/threads.ts'
import { openTurns } from '#server/security/turns.ts'
import { HASH_PARAMETERS, type HashMessage } from './hash-message.ts'

/**
 * Threat: a hash takes a core for some 50 ms, so a flood of sign-ins would slow everything. So
 * hashes get at most half of the cores, in threads of low priority, with a fair queue between
 * addresses.
 */
const AT_ONCE = Math.min(3, Math.max(1, Math.floor(availableParallelism() / 2)))

const turns = openTurns({
  limits: { underWay: AT_ONCE, waiting: 20, waitingEach: 20 },
  msPerCost: 50,
})

/** A hash takes less than a second. Its memory lies outside of the heap that is limited here. */
const threads = openThreads<HashMessage>({
  script: new URL('./hash-worker.ts', import.meta.url),
  timeLimitMs: 10_000,
  memoryLimitMb: 64,
})

const hash = async (password: string) => String(await threads.run({ password }))

/** The beginning of each hash made with today's parameters. */
const { memoryCost, timeCost, parallelism } = HASH_PARAMETERS
const PREFIX = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`

/** Whether a stored hash was made with other parameters than today's. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(PREFIX)

/** `address`: the caller's, for the fair queue. */
export function hashPassword(password: string, address: string): Promise<string> {
  return turns.take({ owner: address, cost: 1 }, () => hash(password.normalize('NFKC')))
}

/**
 * Threat: timing reveals which names exist. So unknown names cost the same hash and place in the
 * queue.
 */
export function verifyPassword(
  stored: string | undefined,
  password: string,
  address: string,
): Promise<boolean> {
  return turns.take({ owner: address, cost: 1 }, async () => {
    decoy ??= await hash('a password that nobody has')
    const matches = await threads.run({
      stored: stored ?? decoy,
      password: password.normalize('NFKC'),
    })
    return stored !== undefined && matches === true
  })
}

let decoy: string | undefined
