import { z } from 'zod'
import {
  ChangeEmailRequest,
  ChangePasswordRequest,
  Closing,
  DataExport,
  DisownPreview,
  LinkRequest,
  LoginRequest,
  ResetPasswordRequest,
  ResetRequest,
  Session,
  SessionsEnded,
  SignIn,
  SignupRequest,
  UpdateUserRequest,
  User,
  VerifiedEmail,
} from './auth.ts'
import {
  BacktestRequest,
  BacktestResult,
  Bot,
  BotPerformance,
  BotTradePage,
  CreateBotRequest,
  SimulationResult,
  StopAllResult,
  TakeOutRequest,
  SetPlanRequest,
  TopUpRequest,
  UpdateBotRequest,
} from './bots.ts'
import { Comparison, ComparisonQuery } from './comparison.ts'
import { PublicConfig } from './config.ts'
import {
  CardPaymentResult,
  ConfirmDepositRequest,
  CreatePaymentIntentRequest,
  DepositResult,
  PaymentSession,
  SandboxCardPayment,
} from './deposits.ts'
import { BacktestBundleQuery, BotBundleQuery, Bundle, EvidenceBundleQuery } from './bundle.ts'
import {
  BotEvidence,
  BotEvidenceRequest,
  Evidence,
  EvidenceSummary,
  GuardEvidence,
  SampleBot,
} from './evidence.ts'
import {
  AddPasskeyRequest,
  AuthenticatorStart,
  AddAuthenticatorRequest,
  Factors,
  PasskeyChallenge,
  PasskeyCreation,
  PasskeyLoginRequest,
  RecoveryCodes,
  RenamePasskeyRequest,
} from './factors.ts'
import { HelpAnswer, HelpArticle, HelpArticleQuery, HelpEvent, HelpQuestion } from './help.ts'
import { BalanceCurve, Market, Portfolio, Prices } from './market.ts'
import { MadeProof, MakeProofRequest } from './proofs.ts'
import {
  AddPushDeviceRequest,
  Mailbox,
  NoticePage,
  NoticeSettings,
  NoticesRead,
  ReadNoticesRequest,
  UpdateNoticeSettingsRequest,
} from './notices.ts'
import type { RouteName } from './routes.ts'
import { Forecasts } from './forecasts.ts'
import { PoolRecord, PoolRecordQuery, TrackRecord } from './track-record.ts'
import { TransactionPage, TransactionQuery, TransactionReceipt } from './transactions.ts'
import {
  CryptoWallet,
  VerifyWalletRequest,
  WalletBalance,
  WalletNonce,
  WalletNonceQuery,
} from './wallets.ts'
import {
  AddBankAccountRequest,
  BankAccount,
  UpdateProtectionsRequest,
  Withdrawal,
  WithdrawalProtections,
  WithdrawalRequestBody,
  WithdrawalTerms,
} from './withdrawals.ts'
import { CursorQuery, IdParams, Nothing, RangeQuery } from './wire.ts'

export type RouteSchemas = {
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  response: z.ZodType
  /** Status of a successful response, if not 200. */
  status?: 201
}

/** The shapes of every call. A route without `body` accepts none, or an empty JSON object. */
export const schemas = {
  getUser: { response: User },
  updateUser: { body: UpdateUserRequest, response: User },
  login: { body: LoginRequest, response: User },
  signup: { body: SignupRequest, response: User, status: 201 },
  logout: { response: Nothing },
  makeProof: { body: MakeProofRequest, response: MadeProof, status: 201 },
  changePassword: { body: ChangePasswordRequest, response: Nothing },
  changeEmail: { body: ChangeEmailRequest, response: User },
  sendVerification: { response: Nothing },
  verifyEmail: { body: LinkRequest, response: VerifiedEmail },
  requestReset: { body: ResetRequest, response: Nothing },
  resetPassword: { body: ResetPasswordRequest, response: Nothing },
  previewDisown: { body: LinkRequest, response: DisownPreview },
  disown: { body: LinkRequest, response: Nothing },
  exportData: { response: DataExport, status: 201 },
  getClosing: { response: Closing },
  closeAccount: { response: Nothing },
  listSessions: { response: z.array(Session) },
  listSignIns: { response: z.array(SignIn) },
  endSession: { params: IdParams, response: Nothing },
  endOtherSessions: { response: SessionsEnded },
  getPasskeyChallenge: { response: PasskeyChallenge },
  loginWithPasskey: { body: PasskeyLoginRequest, response: User },
  getFactors: { response: Factors },
  startPasskey: { response: PasskeyCreation },
  addPasskey: { body: AddPasskeyRequest, response: RecoveryCodes, status: 201 },
  renamePasskey: { params: IdParams, body: RenamePasskeyRequest, response: Nothing },
  removePasskey: { params: IdParams, response: Nothing },
  startAuthenticator: { response: AuthenticatorStart },
  addAuthenticator: { body: AddAuthenticatorRequest, response: RecoveryCodes, status: 201 },
  removeAuthenticator: { response: Nothing },
  renewRecoveryCodes: { response: RecoveryCodes },
  getConfig: { response: PublicConfig },
  getPrices: { response: Prices },
  getMarket: { params: IdParams, query: RangeQuery, response: Market },
  getPortfolio: { response: Portfolio },
  getBalanceCurve: { query: RangeQuery, response: BalanceCurve },
  listBots: { response: z.array(Bot) },
  createBot: { body: CreateBotRequest, response: Bot, status: 201 },
  updateBot: { params: IdParams, body: UpdateBotRequest, response: Bot },
  deleteBot: { params: IdParams, response: Bot },
  topUpBot: { params: IdParams, body: TopUpRequest, response: Bot },
  takeOutOfBot: { params: IdParams, body: TakeOutRequest, response: Bot },
  setPlan: { params: IdParams, body: SetPlanRequest, response: Bot },
  endPlan: { params: IdParams, response: Bot },
  getBotPerformance: { params: IdParams, response: BotPerformance },
  compareBot: { params: IdParams, query: ComparisonQuery, response: Comparison },
  listBotTrades: { params: IdParams, query: CursorQuery, response: BotTradePage },
  simulateBot: { params: IdParams, response: SimulationResult },
  runBacktest: { body: BacktestRequest, response: BacktestResult },
  stopAll: { response: StopAllResult },
  getEvidence: { response: Evidence },
  getGuardEvidence: { response: GuardEvidence },
  getEvidenceSummary: { response: EvidenceSummary },
  getForecasts: { response: Forecasts },
  getTrackRecord: { response: TrackRecord },
  getPoolRecord: { params: IdParams, query: PoolRecordQuery, response: PoolRecord },
  getEvidenceBundle: { query: EvidenceBundleQuery, response: Bundle },
  getBotBundle: { query: BotBundleQuery, response: Bundle },
  getBacktestBundle: { query: BacktestBundleQuery, response: Bundle },
  runBotEvidence: { body: BotEvidenceRequest, response: BotEvidence },
  getSampleBot: { response: SampleBot },
  listTransactions: { query: TransactionQuery, response: TransactionPage },
  getTransaction: { params: IdParams, response: TransactionReceipt },
  createPaymentIntent: { body: CreatePaymentIntentRequest, response: PaymentSession, status: 201 },
  payWithSandboxCard: { body: SandboxCardPayment, response: CardPaymentResult },
  confirmDeposit: { body: ConfirmDepositRequest, response: DepositResult },
  listBankAccounts: { response: z.array(BankAccount) },
  addBankAccount: { body: AddBankAccountRequest, response: BankAccount, status: 201 },
  removeBankAccount: { params: IdParams, response: Nothing },
  makeBankAccountDefault: { params: IdParams, response: BankAccount },
  getWithdrawalTerms: { response: WithdrawalTerms },
  getProtections: { response: WithdrawalProtections },
  updateProtections: { body: UpdateProtectionsRequest, response: WithdrawalProtections },
  listWithdrawals: { response: z.array(Withdrawal) },
  requestWithdrawal: { body: WithdrawalRequestBody, response: Withdrawal, status: 201 },
  cancelWithdrawal: { params: IdParams, response: Withdrawal },
  getNoticeSettings: { response: NoticeSettings },
  updateNoticeSettings: { body: UpdateNoticeSettingsRequest, response: NoticeSettings },
  addPushDevice: { body: AddPushDeviceRequest, response: NoticeSettings, status: 201 },
  removePushDevice: { params: IdParams, response: NoticeSettings },
  getMailbox: { response: Mailbox },
  listNotices: { query: CursorQuery, response: NoticePage },
  readNotices: { body: ReadNoticesRequest, response: NoticesRead },
  askHelp: { body: HelpQuestion, response: HelpAnswer },
  streamHelp: { body: HelpQuestion, response: HelpEvent },
  getHelpArticle: { query: HelpArticleQuery, response: HelpArticle },
  listWallets: { response: z.array(CryptoWallet) },
  getWalletNonce: { query: WalletNonceQuery, response: WalletNonce },
  verifyWallet: { body: VerifyWalletRequest, response: CryptoWallet, status: 201 },
  disconnectWallet: { params: IdParams, response: CryptoWallet },
  getWalletBalance: { params: IdParams, response: WalletBalance },
} as const satisfies Record<RouteName, RouteSchemas>

type Part<Name extends RouteName, Key extends 'params' | 'query' | 'body'> =
  (typeof schemas)[Name] extends Record<Key, infer Schema> ? Schema : undefined

type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined
type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** The request as sent, before defaults. */
export type RequestOf<Name extends RouteName> = {
  params: InputOf<Part<Name, 'params'>>
  query: InputOf<Part<Name, 'query'>>
  body: InputOf<Part<Name, 'body'>>
}

/** The request as the handler receives it, checked and with defaults. */
export type CheckedRequestOf<Name extends RouteName> = {
  params: OutputOf<Part<Name, 'params'>>
  query: OutputOf<Part<Name, 'query'>>
  body: OutputOf<Part<Name, 'body'>>
}

/** The response, or one event of a route that streams. */
export type ResponseOf<Name extends RouteName> = z.output<(typeof schemas)[Name]['response']>
