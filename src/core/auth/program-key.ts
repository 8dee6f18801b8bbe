import { COUNT_LIMITS } from '#core/count-limits.ts'
import { english } from '#core/english.ts'
import type { Units } from '#core/money/amount.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { Refusal } from '#core/refusal.ts'

/** read: see bots, trades and figures · bots: also create, pause and resume bots. */
export const KEY_SCOPES = ['read', 'bots'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]

/** Lifetimes of a key, in days. */
export const KEY_DAYS = [30, 90, 365] as const

/** Most networks that a key can be tied to. */
export const MOST_NETWORKS = 5

/** Upper bound for the limit of a key's open bots. */
export const MOST_KEY_BOTS = COUNT_LIMITS['too-many-bots']
export const BOT_COUNT_SENTENCE = english('Enter a whole number from 1 to 100.')

/** Requests of one key in a minute. */
export const KEY_REQUESTS = 120

/** `mostBots`: open at once. `dailyAmount`: put into new bots within 24 hours. */
export type KeyLimits = { mostBots: number; dailyAmount: Units }

/** All permissions of a key. They are part of its keyed hash. */
export type KeyRights = {
  userId: string
  id: string
  scope: KeyScope
  networks: readonly string[]
  /** For the scope 'bots' alone. */
  limits: KeyLimits | undefined
  expiresAt: Date
}

const IPV4 = /^(\d{1,3}\.){3}\d{1,3}(\/(\d|[12]\d|3[0-2]))?$/
const IPV6 = /^[\da-f:.]*:[\da-f:.]*(\/(\d{1,2}|1[01]\d|12[0-8]))?$/i

/** Refuses texts that look like neither addresses nor networks; the server parses the others. */
export function checkNetworks(networks: readonly string[]): void {
  const isGood = networks.every((text) => IPV4.test(text) || IPV6.test(text))
  if (!isGood || networks.length > MOST_NETWORKS)
    throw new Refusal('key-network-invalid', { field: 'networks' })
}

/** Whether a key may make a call that needs a scope; undefined: no key may. */
export function isInScope(scope: KeyScope, needed: KeyScope | undefined): boolean {
  return needed === 'read' || needed === scope
}

/** `used`: with the bot that is being created. */
export function checkKeyLimits(limits: KeyLimits, used: { bots: number; amount: Units }): void {
  if (used.bots > limits.mostBots)
    throw new Refusal('key-bots-limit', { values: { count: String(limits.mostBots) } })
  if (used.amount > limits.dailyAmount)
    throw new Refusal('key-amount-limit', {
      field: 'investmentAmount',
      values: { limit: englishMoneyText({ amount: limits.dailyAmount }) },
    })
}
