import { hash, verify } from '@node-rs/argon2'

/** argon2id with the first parameter set of the OWASP Password Storage Cheat Sheet (2024): 19 MiB, 2 passes, 1 lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), PARAMETERS)
}

/** Threat: if an unknown name were answered faster than a wrong password, timing would reveal customers. Both cost one hash. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('a password that nobody has')
  const matches = await verify(stored ?? (await decoy), password.normalize('NFKC'))
  return stored !== undefined && matches
}

let decoy: Promise<string> | undefined
