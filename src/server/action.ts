import type { CheckedRequestOf, ProvenName, ResponseOf, calls } from '#contract/calls.ts'
import type { KeyRights } from '#core/auth/program-key.ts'
import type { RouteName, StreamName } from '#contract/routes.ts'
import type { Book } from '#server/db/book.ts'
import type { Context } from './context.ts'
import type { Balances } from './holdings/balances.ts'

type StoredUser = {
  id: string
  username: string
  email: string | null
  firstName: string
  lastName: string
  profileImageUrl: string | null
  createdAt: Date
  emailVerified: boolean
  pendingEmail: string | null
  unreadNotices: number
}

export type UserWithBalances = StoredUser & Balances

/** The session in the caller's cookie. Signing in replaces it, signing out ends it. */
export type SessionControl = {
  /**
   * Starts a session. `provenBy`: the stored hash that the password was compared with. Refuses if
   * the user's stored hash has changed since.
   */
  start: (proof: { userId: string; provenBy: string }) => Promise<void>
  /**
   * A mark of the caller's browser if it has signed in to this account with its present password;
   * else undefined.
   */
  knownDevice: (proof: { userId: string; provenBy: string }) => string | undefined
  /** The session's public id, as shown to its owner; undefined without a session. */
  id: () => Promise<string | undefined>
  /** Set on routes whose access is 'session'. */
  user: () => Promise<UserWithBalances | undefined>
  end: () => Promise<void>
}

/** The proof sent with a call. */
export type Proof = {
  /**
   * Uses the proof up. Must run in the action's transaction, so that a refused action leaves the
   * proof unused. Refuses if there is no proof for this request.
   */
  spend: (tx: Book) => Promise<void>
}

type ProofOf<Name> = Name extends ProvenName ? Proof : undefined

type UserOf<Access> = Access extends 'user'
  ? string
  : Access extends 'both'
    ? string | undefined
    : undefined

export type Call<Name extends RouteName> = CheckedRequestOf<Name> & {
  /** Undefined if the caller is signed out; possible only on routes with access 'both'. */
  userId: UserOf<(typeof calls)[Name]['access']>
  idempotencyKey: string | undefined
  /** The key with which a program calls for the user. */
  key: KeyRights | undefined
  proof: ProofOf<Name>
  /**
   * `browser`: the browser's own description. `origin`: this site's scheme, host and port as the
   * caller sees them.
   */
  client: { address: string; userAgent: string; browser: string; origin: string }
  session: SessionControl
  /** Aborted when the caller disconnects. */
  gone: AbortSignal
}

/** Handlers must throw refusals before a stream of events starts. */
type AnswerOf<Name extends RouteName> = Name extends StreamName
  ? AsyncIterable<ResponseOf<Name>>
  : ResponseOf<Name>

/** Loads, decides, commits. The answer is checked against the contract before it is sent. */
export type Handler<Name extends RouteName> = (
  context: Context,
  call: Call<Name>,
) => Promise<AnswerOf<Name>>
