import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#core/refusal.ts'
import type { Context } from '#server/context.ts'
import type { OperatorContext } from '#server/operators/operator.ts'
import { operatorOfToken, SESSION_HOURS } from '#server/operators/sign-in.ts'

/**
 * Threat: another site of the same domain could set the cookie. So over TLS it has the prefix
 * __Host-, and browsers accept it only from exactly this host.
 */
const nameOf = ({ protocol }: FastifyRequest): string =>
  protocol === 'https' ? '__Host-operator' : 'operator'

const attributesOf = ({ protocol }: FastifyRequest) =>
  ({ path: '/', httpOnly: true, sameSite: 'strict', secure: protocol === 'https' }) as const

export function keepToken(request: FastifyRequest, reply: FastifyReply, token: string): void {
  void reply.setCookie(nameOf(request), token, {
    ...attributesOf(request),
    maxAge: SESSION_HOURS * 3_600,
  })
}

export function dropToken(request: FastifyRequest, reply: FastifyReply): void {
  void reply.clearCookie(nameOf(request), attributesOf(request))
}

export const tokenOf = (request: FastifyRequest): string | undefined =>
  request.cookies[nameOf(request)]

export type Visit = { context: OperatorContext; formToken: string }

/** Undefined if nobody is signed in. */
export async function visitOf(
  context: Context,
  request: FastifyRequest,
): Promise<Visit | undefined> {
  const token = tokenOf(request)
  const operator = token === undefined ? undefined : await operatorOfToken(context, token)
  return token === undefined || operator === undefined
    ? undefined
    : { context: { ...context, operator }, formToken: formTokenOf(context, token) }
}

/**
 * Threat: another site sends a form in the operator's name. Beside the cookie, each form carries
 * this token, which only our pages know.
 */
function formTokenOf({ config }: Context, token: string): string {
  return createHmac('sha256', config.SESSION_SECRET)
    .update(JSON.stringify(['operator-form', token]))
    .digest('base64url')
}

export function checkForm({ formToken }: Visit, given: string): void {
  const [one, other] = [Buffer.from(formToken), Buffer.from(given)]
  if (one.length !== other.length || !timingSafeEqual(one, other)) throw new Refusal('cross-site')
}
