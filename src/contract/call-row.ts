import type { z } from 'zod'
import type { KeyScope } from '#core/auth/program-key.ts'
import type { RefusalCode } from '#core/refusal.ts'
import type { RouteName } from './routes.ts'

/**
 * public: everyone · user: signed-in users, for their own data · both: everyone, with answers that
 * depend on the user · session: like user, but the handler must read user and session itself.
 */
export type Access = 'public' | 'user' | 'session' | 'both'

/**
 * Everything about a call except its address; `routes.ts` has the address, because the browser
 * needs it.
 */
export type CallRow = {
  /** For programmers, in the description of the API. */
  summary: string
  access: Access
  /**
   * The call needs an unused proof made for exactly this request within the last five minutes.
   * always · with-factor: for users with a second factor; the request has the password ·
   * unless-new: not within five minutes of a sign-in without a second factor; only for removing
   * ways to sign in.
   */
  proof?: 'always' | 'with-factor' | 'unless-new'
  /** The call acts once per Idempotency-Key and user: a repetition gets the first answer. */
  keyed?: true
  /** The call is not a GET, but changes nothing: it needs no turn, and frozen users may send it. */
  reads?: true
  /** The call is a GET, but counts calls or stores results. */
  writes?: true
  /**
   * Frozen users may send the call: it ends sessions, books money already paid or copies the user's
   * data.
   */
  whileFrozen?: true
  /**
   * Form of the id in the path, if not one UUID. 'name': a name that the action looks up · 'pair':
   * two ids, as `<change>.<bot>`, for the receipt of a trade.
   */
  id?: 'name' | 'pair'
  /**
   * The scope that keys for programs need to make the call. Without a scope, no key may make it.
   */
  keys?: KeyScope
  /** The fields of the body that a key may send. */
  keyFields?: readonly string[]
  query?: z.ZodType
  /** Without it, the call accepts no body, or an empty JSON object. */
  body?: z.ZodType
  response: z.ZodType
  /** Status of a successful response, if not 200. */
  status?: 201
  /**
   * Refusals by the call's own rules; the API description adds those that follow from method, path,
   * access and proof. Tests fail on a refusal that is missing here.
   */
  problems?: readonly RefusalCode[]
}

/** The rows of the calls about one noun, kept in the file with their schemas. */
export type CallRows = { [Name in RouteName]?: CallRow }

export const PAIR_PROBLEMS = [
  'bot-pairs-missing',
  'bot-pair-unavailable',
  'bot-pairs-duplicate',
] as const
export const AMOUNT_PROBLEMS = ['bot-amount-invalid', 'bot-amount-above-available'] as const
export const COUNTED = ['too-many-attempts', 'busy'] as const
export const PROVIDER = ['payment-unavailable', 'payment-provider-away'] as const
