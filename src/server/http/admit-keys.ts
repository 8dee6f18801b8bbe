import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isInScope, KEY_REQUESTS } from '#core/auth/program-key.ts'
import { Refusal } from '#core/refusal.ts'
import { admitKey, isWithin, keyTextOf } from '#server/auth/program-key.ts'
import { lookUpKey, noteUse, type KeyInUse } from '#server/auth/use-program-key.ts'
import type { Context } from '#server/context.ts'
import { coalesce } from '#server/kernel/promises.ts'
import { allowance, tooManyAttempts } from '#server/security/throttle.ts'

const WINDOW_SECONDS = 60

/**
 * The only check that admits program keys. A request with a key reaches only routes that name the
 * key's scope, whatever cookies it sends.
 */
export function admitKeys(app: FastifyInstance, context: Context): void {
  // As with sessions, calls of a flood with one key share a look-up.
  const find = coalesce((text) => lookUpKey(context, text))
  app.addHook('onRequest', async (request, reply) => {
    const text = keyTextOf(request)
    if (text !== undefined) await admit(context, { request, reply, key: find(text) })
  })
}

type Asking = { request: FastifyRequest; reply: FastifyReply; key: Promise<KeyInUse | undefined> }

async function admit({ sql }: Context, { request, reply, key: found }: Asking): Promise<void> {
  const key = await found
  if (key === undefined) {
    // Source: RFC 6750, 3.
    void reply.header('www-authenticate', 'Bearer error="invalid_token"')
    throw new Refusal('key-invalid')
  }
  // Before any refusal, so that the log of refusals names the key's user.
  admitKey(request, key)
  // The address is missing once the caller has gone.
  if (!isWithin(key.networks, request.ip || '')) throw new Refusal('key-network')
  await countRequest(sql, { reply, key })
  if (!isInScope(key.scope, request.routeOptions.config.call?.keys)) {
    void reply.header('www-authenticate', 'Bearer error="insufficient_scope"')
    throw new Refusal('key-scope', { values: { scope: key.scope } })
  }
  await noteUse(sql, key)
}

/** Source of the header fields: draft-ietf-httpapi-ratelimit-headers-10. */
async function countRequest(
  sql: Context['sql'],
  { reply, key: { id } }: { reply: FastifyReply; key: KeyInUse },
): Promise<void> {
  const limit = { key: `program-key:${id}`, limit: KEY_REQUESTS, windowSeconds: WINDOW_SECONDS }
  const { left, wait } = await allowance(sql, limit)
  void reply.headers({
    'ratelimit-policy': `"key";q=${KEY_REQUESTS};w=${WINDOW_SECONDS}`,
    ratelimit: `"key";r=${Math.max(0, left)};t=${Math.max(0, Math.ceil(wait))}`,
  })
  if (left < 0) throw tooManyAttempts(wait)
}
