import { z } from 'zod'
import { authCalls, Password, SecondFactorCode } from './auth.ts'
import { backtestCalls } from './backtest.ts'
import { botCalls } from './bots.ts'
import { bundleCalls } from './bundle.ts'
import type { CallRow, CallRows } from './call-row.ts'
import { comparisonCalls } from './comparison.ts'
import { configCalls } from './config.ts'
import { depositCalls } from './deposits.ts'
import { evidenceCalls } from './evidence.ts'
import { factorCalls, PasskeyAssertion } from './factors.ts'
import { forecastCalls } from './forecasts.ts'
import { helpCalls } from './help.ts'
import { marketCalls } from './market.ts'
import { noticeCalls } from './notices.ts'
import { programKeyCalls } from './program-keys.ts'
import { routes, type RouteName } from './routes.ts'
import { statementCalls } from './statement.ts'
import { recordCalls } from './track-record.ts'
import { transactionCalls } from './transactions.ts'
import { walletCalls } from './wallets.ts'
import { weekCalls } from './week.ts'
import { Id, IdParams, Timestamp } from './wire.ts'
import { withdrawalCalls } from './withdrawals.ts'

const byNoun = {
  ...authCalls,
  ...factorCalls,
  ...programKeyCalls,
  ...configCalls,
  ...marketCalls,
  ...botCalls,
  ...backtestCalls,
  ...comparisonCalls,
  ...evidenceCalls,
  ...forecastCalls,
  ...recordCalls,
  ...bundleCalls,
  ...transactionCalls,
  ...statementCalls,
  ...depositCalls,
  ...withdrawalCalls,
  ...noticeCalls,
  ...helpCalls,
  ...walletCalls,
  ...weekCalls,
}

type Named = keyof typeof byNoun

/** Calls that need a proof. */
export type ProvenName = {
  [Name in Named]: (typeof byNoun)[Name] extends { proof: string } ? Name : never
}[Named]

export const isProven = (name: string): name is ProvenName =>
  Object.hasOwn(byNoun, name) && 'proof' in byNoun[name as Named]

/**
 * Requests a proof that is valid only for this action with this id and body, including amount and
 * destination.
 */
export const MakeProofRequest = z.strictObject({
  action: z.enum(Object.keys(byNoun).filter(isProven)),
  /** The id in the path of the proven call. */
  id: IdParams.shape.id.optional(),
  /** The body of the proven call. */
  request: z.unknown().optional(),
  /** Exactly one of the following is given. */
  password: Password.optional(),
  code: SecondFactorCode.optional(),
  passkey: PasskeyAssertion.optional(),
})
export type MakeProofRequest = z.infer<typeof MakeProofRequest>

/** `id`: for the header `Proof` of the proven call. */
export const MadeProof = z.strictObject({ id: Id, expiresAt: Timestamp })

const proofCalls = {
  makeProof: {
    summary: 'Prove who asks for a call that needs the header Proof',
    access: 'user',
    whileFrozen: true,
    body: MakeProofRequest,
    response: MadeProof,
    status: 201,
    problems: [
      'required',
      'wrong-password',
      'wrong-code',
      'wrong-passkey',
      'passkey-unavailable',
      'second-factor-required',
      'account-frozen',
      'account-locked',
    ],
  },
} satisfies CallRows

/** Every call of the product. One without a row does not compile. */
export const calls = { ...byNoun, ...proofCalls } satisfies Record<RouteName, CallRow>

export const rowOf = (name: RouteName): CallRow => calls[name]

/** Whether a call is for users, is not a GET and changes something. */
export function isAction(name: RouteName): boolean {
  const { access, reads } = rowOf(name)
  return access === 'user' && routes[name].method !== 'GET' && reads !== true
}

export const isRefusedToFrozen = (name: RouteName): boolean =>
  isAction(name) && rowOf(name).whileFrozen !== true

/** Whether the path of a call contains an id, the only parameter in paths. */
export const hasId = (name: RouteName): boolean => routes[name].path.includes(':')

type ParamsOf<Name extends RouteName> =
  (typeof routes)[Name]['path'] extends `${string}:id${string}`
    ? z.infer<typeof IdParams>
    : undefined

type Part<Name extends RouteName, Key extends 'query' | 'body'> =
  (typeof calls)[Name] extends Record<Key, infer Schema> ? Schema : undefined

type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined
type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** The request as sent, before defaults. */
export type RequestOf<Name extends RouteName> = {
  params: ParamsOf<Name>
  query: InputOf<Part<Name, 'query'>>
  body: InputOf<Part<Name, 'body'>>
}

/** The request as the handler receives it, checked and with defaults. */
export type CheckedRequestOf<Name extends RouteName> = {
  params: ParamsOf<Name>
  query: OutputOf<Part<Name, 'query'>>
  body: OutputOf<Part<Name, 'body'>>
}

/** The response, or one event of a route that streams. */
export type ResponseOf<Name extends RouteName> = z.output<(typeof calls)[Name]['response']>
