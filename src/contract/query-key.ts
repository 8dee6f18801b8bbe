import type { Portfolio } from './market.ts'
import type { CallName, RouteName } from './routes.ts'
import type { RequestOf } from './schemas.ts'

type Given<Parts> = {
  [Key in keyof Parts as Parts[Key] extends undefined ? never : Key]: Parts[Key]
}

/** The input of a route: only those of params, query and body that it takes. */
export type InputOf<Name extends RouteName> = Given<RequestOf<Name>>

/**
 * Arguments that distinguish the answers of a call. In the table of screens, ':id' stands for the
 * id in the path.
 */
export type KeyArguments = {
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

/** The key of a call that reads, in the app's cache and among the answers that a page carries. */
export type KeyOf<Name extends CallName> = readonly [
  Name,
  ...(Name extends keyof KeyArguments ? KeyArguments[Name] : []),
]
export type QueryKey = { [Name in CallName]: KeyOf<Name> }[CallName]
