/**
 * argon2id with the first parameter set of the OWASP Password Storage Cheat Sheet (2024): 19 MiB, 2
 * passes, 1 lane.
 */
export const HASH_PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export type HashMessage = { password: string; stored?: string }
