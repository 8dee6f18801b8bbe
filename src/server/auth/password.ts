import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { openTurns } from '#server/turns.ts'

/** argon2id with the first parameter set of the OWASP Password Storage Cheat Sheet (2024): 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * Threat: hashes share Node's four threads with the compression of pages, and each takes a core for some 50 ms, so a flood of sign-ins would
 * slow every page. They take half of the cores, and never all four threads; the others wait, fairly between addresses.
 */
const AT_ONCE = Math.min(3, Math.max(1, Math.floor(availableParallelism() / 2)))

const turns = openTurns({ limits: { underWay: AT_ONCE, waiting: 20, waitingEach: 20 }, msPerCost: 50 })

/** How a hash of today begins. */
const PREFIX = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$`

/** Whether a stored hash was made with other parameters than today's. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(PREFIX)

/** `address`: the caller's, in whose turn the hash is made. */
export function hashPassword(password: string, address: string): Promise<string> {
  return turns.take({ owner: address, cost: 1 }, () => hash(password.normalize('NFKC'), PARAMETERS))
}

/** Threat: if an unknown name were answered faster than a wrong password, timing would reveal customers. Both cost one hash and one turn. */
export function verifyPassword(stored: string | undefined, password: string, address: string): Promise<boolean> {
  return turns.take({ owner: address, cost: 1 }, async () => {
    decoy ??= hash('a password that nobody has', PARAMETERS)
    const matches = await verify(stored ?? (await decoy), password.normalize('NFKC'))
    return stored !== undefined && matches
  })
}

let decoy: Promise<string> | undefined
