import type { CheckedRequestOf, ProvenName, ResponseOf, calls } from '#contract/calls.ts'
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

/** The session in the caller's cookie: signing in replaces it, signing out ends it. */
export type SessionControl = {
  /**
   * `provenBy`: the stored hash that the password was compared with. Refuses if the user has
   * another one by now.
   */
  start: (proof: { userId: string; provenBy: string }) => Promise<void>
  /** The caller's browser, if it has signed in to this account with its present password before. */
  knownDevice: (proof: { userId: string; provenBy: string }) => string | undefined
  /** The public id, as shown to its owner; undefined without a session. */
  id: () => Promise<string | undefined>
  /** Set on routes whose access is 'session'. */
  user: () => Promise<UserWithBalances | undefined>
  end: () => Promise<void>
}

/** The proof sent with a call. */
export type Proof = {
  /**
   * Uses the proof up in the action's transaction, so a refused action keeps it. Refuses if there
   * is none for this request.
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
  /** Undefined on routes for both, if the caller is signed out. */
  userId: UserOf<(typeof calls)[Name]['access']>
  idempotencyKey: string | undefined
  proof: ProofOf<Name>
  /**
   * `browser`: the browser's own description. `origin`: this site's scheme, host and port as the
   * caller sees them.
   */
  client: { address: string; userAgent: string; browser: string; origin: string }
  session: SessionControl
  /** Aborted when the caller has disconnected. */
  gone: AbortSignal
}

/** Refusals are thrown before a stream of events starts. */
type AnswerOf<Name extends RouteName> = Name extends StreamName
  ? AsyncIterable<ResponseOf<Name>>
  : ResponseOf<Name>

/** Load, decide, commit. The answer is checked against the contract before it is sent. */
export type Handler<Name extends RouteName> = (
  context: Context,
  call: Call<Name>,
) => Promise<AnswerOf<Name>>
