import type { QueryKey, ValuedName } from './query-key.ts'
import type { ScreenName, screens } from './screens.ts'

/**
 * The first queries of each screen, whose answers come with the page. Separate from the table of
 * screens, because no browser needs them.
 */
const queries = {
  landing: [['getEvidenceSummary'], ['getStrategyNow'], ['getSampleBot']],
  signup: [['getEvidenceSummary']],
  home: [['getPortfolio'], ['getBalanceCurve', '1M'], ['getPrices'], ['getEvidenceSummary']],
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
  security: [['getFactors'], ['getProtections'], ['listKeys']],
  myData: [['getClosing']],
  noticeSettings: [['getNoticeSettings'], ['listWebhooks']],
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
/** Screens with answers valued at prices, but without the prices or their age. */
type Unpriced = {
  [Screen in Name]: Extract<CallsOf<Screen>, ValuedName> extends never
    ? never
    : HasPrices<Screen> extends true
      ? never
      : Screen
}[Name]
/** Compiles only if `Names` is empty. */
type None<Names extends never> = Names
