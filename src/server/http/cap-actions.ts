import type { FastifyInstance } from 'fastify'
import { Refusal } from '#core/refusal.ts'
import { waitText } from '#words/wait-text.ts'
import type { Config } from '#server/config.ts'
import { CARD_WEBHOOK } from '#server/deposits/receive-webhook.ts'
import { networkOf } from './cap-sockets.ts'
import { placesPerAddress } from './places.ts'

/**
 * Threat: a flood from one address. Before one of its requests can be refused by name, its session
 * is looked up, and everybody else's requests wait for that. So a request that changes or computes
 * something is refused at once while as many of its address have no answer yet. It counts from the
 * end of its body on: bodies that never end would keep the places of others behind the same
 * address, and sockets have a cap of their own. Messages of the card provider come from few
 * addresses and are signed.
 */
export function capActions(
  app: FastifyInstance,
  { ACTIONS_PER_ADDRESS }: Pick<Config, 'ACTIONS_PER_ADDRESS'>,
): void {
  const take = placesPerAddress(ACTIONS_PER_ADDRESS)
  app.addHook('preValidation', (request, reply, done) => {
    if (
      request.method === 'GET' ||
      request.method === 'HEAD' ||
      request.routeOptions.url === CARD_WEBHOOK
    )
      return done()
    const giveBack = take(networkOf(request.ip))
    // Nearly every action takes less than the second after which this one may come again.
    if (giveBack === undefined)
      throw new Refusal('busy', { values: { wait: waitText(1), seconds: '1' } })
    reply.raw.once('close', giveBack)
    done()
  })
}
