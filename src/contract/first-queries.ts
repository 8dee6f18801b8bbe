import type { QueryKey, ValuedName } from './query-key.ts'
import type { ScreenName, screens } from './screens.ts'

/**
 * Queries that a screen begins with; their answers come with the page. Apart from the table of
 * screens: no browser needs them.
 */
const queries = {
  landing: [['getEvidenceSummary'], ['getSampleBot']],
  signup: [['getEvidenceSummary']],
  home: [['getPortfolio'], ['getBalanceCurve', '1M'], ['getPrices']],
  coin: [['getMarket', ':id', '1M'], ['getPrices']],
  week: [['getWeek']],
  withdraw: [['listBankAccounts'], ['listWithdrawals'], ['getWithdrawalTerms']],
  bots: [['getPortfolio'], ['getPrices'], ['getEvidenceSummary']],
  newBot: [['getPortfolio'], ['getPrices'], ['getEvidenceSummary']],
  bot: [['getBotPerformance', ':id'], ['listBotTrades', ':id'], ['getPrices']],
  compare: [['compareBot', ':id', ''], ['getPrices']],
  history: [['listTransactions', 'all']],
  statement: [['getStatement', '']],
  notices: [['listNotices']],
  profile: [['getPortfolio'], ['getPrices'], ['listSessions'], ['listWallets']],
  security: [['getFactors'], ['getProtections']],
  myData: [['getClosing']],
  noticeSettings: [['getNoticeSettings']],
  mailbox: [['getMailbox']],
  evidence: [['getEvidence']],
  forecasts: [['getForecasts']],
  trackRecord: [['getTrackRecord']],
} as const satisfies Partial<Record<ScreenName, readonly QueryKey[]>>

const known: Partial<Record<ScreenName, readonly QueryKey[]>> = queries

export function firstQueries(screen: ScreenName | None<Unpriced>): readonly QueryKey[] {
  return known[screen] ?? []
}

type Name = keyof typeof queries
type CallsOf<Screen extends Name> = (typeof queries)[Screen][number][0]
type HasPrices<Screen extends Name> =
  'getPrices' extends CallsOf<Screen>
    ? (typeof screens)[Screen] extends { live: 'Prices' }
      ? true
      : false
    : false
/** Screens whose answers are valued at prices, but that lack the prices or their age. */
type Unpriced = {
  [Screen in Name]: Extract<CallsOf<Screen>, ValuedName> extends never
    ? never
    : HasPrices<Screen> extends true
      ? never
      : Screen
}[Name]
/** Compiles only if there are none. */
type None<Names extends never> = Names
