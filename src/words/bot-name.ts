import { baseOf, PAIRS, type Pair } from '#core/market/pair.ts'
import type { StrategyChoice } from '#core/strategy/strategy-key.ts'
import { strategyTitle } from './strategy-names.ts'
import { t } from './words.ts'

type Settings = StrategyChoice & { tradingPairs: readonly Pair[] }

/** 'Moderate BTC + ETH', with a number appended if another bot has this name. */
export function suggestedName(settings: Settings, taken: readonly string[]): string {
  return untaken(plainName(settings), taken)
}

/**
 * Whether the product suggests this name, in any language, for a bot with these settings. Such a
 * name changes with the settings.
 */
export function isSuggestedName(name: string, settings: Settings): boolean {
  const plain = plainName(settings)
  return (
    name === plain || (name.startsWith(`${plain} `) && /^\d+$/.test(name.slice(plain.length + 1)))
  )
}

/** `name`, or `name` with the first number that makes it unique. */
export function untaken(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name
  let number = 2
  while (taken.includes(`${name} ${number}`)) number += 1
  return `${name} ${number}`
}

function plainName({ tradingPairs, ...choice }: Settings): string {
  const risk = strategyTitle(choice)
  if (tradingPairs.length === 0) return t('{risk} bot', { risk })
  if (tradingPairs.length === PAIRS.length) return t('{risk} all coins', { risk })
  if (tradingPairs.length > 3)
    return t('{risk} {count} coins', { risk, count: tradingPairs.length })
  return `${risk} ${tradingPairs.map(baseOf).join(' + ')}`
}
