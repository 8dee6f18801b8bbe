import type { z } from 'zod'
import type { RefusalCode } from '#core/refusal.ts'
import type { RouteName } from './routes.ts'

/**
 * public: everyone · user: signed-in users, for their own data · both: everyone, with answers that
 * depend on the user · session: as user, but the handler reads user and session itself.
 */
export type Access = 'public' | 'user' | 'session' | 'both'

/** All about a call except its address, which `routes.ts` has for the browser. */
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
  /** It acts once for each Idempotency-Key of its user: a repetition gets the first answer. */
  keyed?: true
  /** Not a GET, but it changes nothing: it waits for no turn, and frozen users may call it. */
  reads?: true
  /** A GET, but it counts calls or stores results. */
  writes?: true
  /** It ends sessions, books money already paid or copies the user's data. */
  whileFrozen?: true
  /** name: the action looks it up · pair: a trade's receipt, `change.bot` · without it, one id. */
  id?: 'name' | 'pair'
  query?: z.ZodType
  /** Without it, the call accepts no body, or an empty JSON object. */
  body?: z.ZodType
  response: z.ZodType
  /** Status of a successful response, if not 200. */
  status?: 201
  /**
   * Refusals of its own rules. Those that follow from method, path, access and proof are added by
   * the description of the API. The tests' users fail on an answer that it does not name.
   */
  problems?: readonly RefusalCode[]
}

/** The rows of a noun's calls, beside their shapes. */
export type CallRows = { [Name in RouteName]?: CallRow }

export const PAIR_PROBLEMS = [
  'bot-pairs-missing',
  'bot-pair-unavailable',
  'bot-pairs-duplicate',
] as const
export const AMOUNT_PROBLEMS = ['bot-amount-invalid', 'bot-amount-above-available'] as const
export const COUNTED = ['too-many-attempts', 'busy'] as const
export const PROVIDER = ['payment-unavailable', 'payment-provider-away'] as const
