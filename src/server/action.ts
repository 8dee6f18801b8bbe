import type { routes, RouteName, StreamName } from '#contract/routes.ts'
import type { CheckedRequestOf, ResponseOf } from '#contract/schemas.ts'
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

/** A user with balances read at the same moment. */
export type UserWithBalances = StoredUser & Balances

/** The caller's session in the cookie: signing in replaces it, signing out ends it. */
export type SessionControl = {
  /**
   * `provenBy` is the stored hash that the password was compared with. Refuses where it is no
   * longer the user's.
   */
  start: (proof: { userId: string; provenBy: string }) => Promise<void>
  /**
   * Identifies the caller's browser if it has signed in to this account before, with the password
   * it still has.
   */
  knownDevice: (proof: { userId: string; provenBy: string }) => string | undefined
  /** The session's public id, as shown to its owner; undefined without a session. */
  id: () => Promise<string | undefined>
  /** The signed-in user, for routes whose access is 'session'. */
  user: () => Promise<UserWithBalances | undefined>
  end: () => Promise<void>
}

/** The proof of who asks that came with a call. */
export type Proof = {
  /**
   * Uses the proof up, in the transaction of the action: an action that is refused does not.
   * Refuses if there is none for this request.
   */
  spend: (tx: Book) => Promise<void>
}

type ProofOf<Row> = Row extends { proof: string } ? Proof : undefined

type UserOf<Access> = Access extends 'user'
  ? string
  : Access extends 'both'
    ? string | undefined
    : undefined

/** A checked request: body, query and params as the contract describes them, and the caller. */
export type Call<Name extends RouteName> = CheckedRequestOf<Name> & {
  /** The signed-in user on routes for users; on routes for both, undefined if signed out. */
  userId: UserOf<(typeof routes)[Name]['access']>
  idempotencyKey: string | undefined
  /** On routes that need a proof. */
  proof: ProofOf<(typeof routes)[Name]>
  /**
   * `browser` is how the caller's browser describes itself. `origin` is the address of this site as
   * the caller sees it: scheme, host and port.
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

/**
 * One action of the product: load, decide, commit. Its answer is checked against the contract
 * before it is sent.
 */
export type Handler<Name extends RouteName> = (
  context: Context,
  call: Call<Name>,
) => Promise<AnswerOf<Name>>
