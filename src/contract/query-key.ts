import type { HeldPools } from './holdings.ts'
import type { BalanceCurve } from './market.ts'
import type { CallName, RouteName } from './routes.ts'
import type { RequestOf, ResponseOf } from './calls.ts'

type InputParts<Parts> = {
  [Key in keyof Parts as Parts[Key] extends undefined ? never : Key]: Parts[Key]
}

/** Params, query and body, if the route takes them. */
export type InputOf<Name extends RouteName> = InputParts<RequestOf<Name>>

/**
 * Arguments that distinguish a call's answers. ':id' in the table of screens stands for the id in
 * the path.
 */
type KeyArguments = {
  getMarket: [id: string, range: BalanceCurve['range']]
  getBalanceCurve: [range: BalanceCurve['range']]
  getBotPerformance: [id: string]
  /** Strategy and pairs as the call takes them. */
  getBotForecast: [strategy: string, pairs: string]
  compareBot: [id: string, other: string]
  listBotTrades: [id: string]
  /** 'all', or the filters as in the address. */
  listTransactions: [filters: string]
  getTransaction: [id: string]
  /** Empty for the present year. */
  getStatement: [year: string]
  getHelpArticle: [id: string]
}

/** The key of an answer in the app's cache and in a page. */
export type KeyOf<Name extends CallName> = readonly [
  Name,
  ...(Name extends keyof KeyArguments ? KeyArguments[Name] : []),
]
export type QueryKey = { [Name in CallName]: KeyOf<Name> }[CallName]

/** Calls whose answers contain the worth and pools of bots, and so change with prices. */
export type ValuedName = {
  [Name in CallName]: ResponseOf<Name> extends { pools: HeldPools } ? Name : never
}[CallName]

const ALL: Record<ValuedName, true> = { getPortfolio: true, getBotPerformance: true }

export const VALUED = Object.keys(ALL) as readonly ValuedName[]
