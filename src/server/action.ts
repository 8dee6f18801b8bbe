import type { routes, RouteName, StreamName } from '#contract/routes.ts'
import type { CheckedRequestOf, ResponseOf } from '#contract/schemas.ts'
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
}

/** A user and every balance, at one moment. */
export type UserWithBalances = StoredUser & Balances

/** The caller's session in the cookie: signing in replaces it, signing out ends it. */
export type SessionControl = {
  /** `provenBy` is the stored hash that the password was compared with. Refuses where it is no longer the user's. */
  start: (proof: { userId: string; provenBy: string }) => Promise<void>
  /** The id under which its owner knows the session; undefined for nobody's. */
  id: () => Promise<string | undefined>
  /** The signed-in user, for routes whose access is 'session'. */
  user: () => Promise<UserWithBalances | undefined>
  end: () => Promise<void>
}

type UserOf<Access> = Access extends 'user' ? string : Access extends 'both' ? string | undefined : undefined

/** A checked request: the body, query and params that the contract describes, and who asks. */
export type Call<Name extends RouteName> = CheckedRequestOf<Name> & {
  /** The signed-in user, where the route is for users; on a route for both, if there is one. */
  userId: UserOf<(typeof routes)[Name]['access']>
  idempotencyKey: string | undefined
  /** `origin` is the address of this site as the caller sees it: scheme, host and port. */
  client: { address: string; userAgent: string; origin: string }
  session: SessionControl
}

/** Events as they come. What may be refused was refused before; `gone` is aborted when nobody listens any more. */
export type EventStream<Event> = (gone: AbortSignal) => AsyncIterable<Event>

type AnswerOf<Name extends RouteName> = Name extends StreamName ? EventStream<ResponseOf<Name>> : ResponseOf<Name>

/** One action of the product: load, decide, commit. What it answers is checked against the contract on its way out. */
export type Handler<Name extends RouteName> = (context: Context, call: Call<Name>) => Promise<AnswerOf<Name>>
