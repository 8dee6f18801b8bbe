import type { HeldPools } from './holdings.ts'
import type { Portfolio } from './market.ts'
import type { CallName, RouteName } from './routes.ts'
import type { RequestOf, ResponseOf } from './schemas.ts'

type Given<Parts> = {
  [Key in keyof Parts as Parts[Key] extends undefined ? never : Key]: Parts[Key]
}

/** Only those of params, query and body that the route takes. */
export type InputOf<Name extends RouteName> = Given<RequestOf<Name>>

/** Arguments that distinguish a call's answers. In the table of screens, ':id' is from the path. */
type KeyArguments = {
  getPortfolio: [range: Portfolio['range']]
  getMarket: [id: string, range: Portfolio['range']]
  getBotPerformance: [id: string]
  compareBot: [id: string, other: string]
  listBotTrades: [id: string]
  /** 'all', or the filters as in the address. */
  listTransactions: [filters: string]
  getTransaction: [id: string]
  getPoolRecord: [id: string]
  getHelpArticle: [id: string]
}

/** In the app's cache, and of the answers that a page carries. */
export type KeyOf<Name extends CallName> = readonly [
  Name,
  ...(Name extends keyof KeyArguments ? KeyArguments[Name] : []),
]
export type QueryKey = { [Name in CallName]: KeyOf<Name> }[CallName]

/** Calls whose answers move with the prices: they hold the worth of bots, and its pools. */
export type ValuedName = {
  [Name in CallName]: ResponseOf<Name> extends { pools: HeldPools } ? Name : never
}[CallName]

const ALL: Record<ValuedName, true> = { getPortfolio: true, getBotPerformance: true }

export const VALUED = Object.keys(ALL) as readonly ValuedName[]
