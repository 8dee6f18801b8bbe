import type { routes, RouteName } from '#contract/routes.ts'
import type { CheckedRequestOf, ResponseOf } from '#contract/schemas.ts'
import type { Context } from '#server/context.ts'

/** The caller's session in the cookie: signing in replaces it, signing out ends it. */
export type SessionControl = {
  start: (userId: string) => Promise<void>
  end: () => Promise<void>
}

/** A checked request: the body, query and params that the contract describes, and who asks. */
export type Call<Name extends RouteName> = CheckedRequestOf<Name> & {
  /** The signed-in user, where the route is for users. */
  userId: (typeof routes)[Name]['access'] extends 'user' ? string : undefined
  idempotencyKey: string | undefined
  client: { address: string; userAgent: string }
  session: SessionControl
}

/** One action of the product: load, decide, commit. What it answers is checked against the contract on its way out. */
export type Handler<Name extends RouteName> = (context: Context, call: Call<Name>) => Promise<ResponseOf<Name>>
