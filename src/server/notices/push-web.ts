import { createECDH, hkdfSync } from 'node:crypto'
import type { Agent } from 'node:https'
import { pushMeaning, retryAfterMs } from '#core/notices/push-answer.ts'
import { PushRefused, type Push, type PushOutcome } from '#server/ports/push.ts'
import { plainAddress, PublicAgent } from '#server/kernel/public-network.ts'

const TIMEOUT_MS = 6_000
/** Messages are dropped after a day: the inbox has them. */
const KEPT_SECONDS = 86_400

type WebPush = {
  /**
   * The keys derive from the installation's secret: all processes have the same, and there is no
   * file to lose.
   */
  secret: string
  /** Where push services can contact the operator. */
  contact: string
  /** Hosts of push services; a name also covers its subdomains. */
  services?: readonly string[]
  agent?: Agent
}

/** Threat: a made-up subscription would have this server call any address. */
const PUSH_SERVICES = [
  'fcm.googleapis.com',
  'push.services.mozilla.com',
  'push.apple.com',
  'notify.windows.com',
]

/** Sends push messages, each encrypted for its browser. */
export function webPushes({
  secret,
  contact,
  services = PUSH_SERVICES,
  agent = new PublicAgent(),
}: WebPush): Push {
  const keys = keysOf(secret)
  const addressOf: Push['addressOf'] = (endpoint) => addressAt(services, endpoint)
  return {
    publicKey: keys.publicKey,
    addressOf,
    send: async ({ endpoint: stored, p256dh, auth, topic, payload }) => {
      const endpoint = addressOf(stored)
      if (endpoint === undefined) return 'gone'
      const vapidDetails = { subject: contact, ...keys }
      // Loaded with the first message, because most installations send none at first.
      const { default: webPush } = await import('web-push')
      const answer = await webPush
        .sendNotification({ endpoint, keys: { p256dh, auth } }, payload, {
          vapidDetails,
          topic,
          TTL: KEPT_SECONDS,
          timeout: TIMEOUT_MS,
          urgency: 'high',
          agent,
        })
        .catch((error: unknown) => {
          if (error instanceof webPush.WebPushError) return error
          throw error
        })
      return outcomeOf(answer, new URL(endpoint).host)
    },
  }
}

type Answer = { statusCode: number; headers: Readonly<Record<string, string | undefined>> }

function outcomeOf({ statusCode, headers }: Answer, service: string): PushOutcome {
  const meaning = pushMeaning(statusCode)
  if (meaning === 'sent' || meaning === 'gone' || meaning === 'too-large') return meaning
  throw new PushRefused({
    meaning,
    answer: `${statusCode} of ${service}`,
    retryAfterMs: retryAfterMs(headers['retry-after'], Date.parse(headers['date'] ?? '')),
  })
}

function addressAt(services: readonly string[], endpoint: string): string | undefined {
  const plain = plainAddress(endpoint)
  const isOfService = services.some(
    (service) => plain?.hostname === service || plain?.hostname.endsWith(`.${service}`),
  )
  return isOfService ? plain?.address : undefined
}

/**
 * A pair of keys on P-256. Source: RFC 8292. Fewer than one of 2³² secrets gives bytes that are no
 * key. Then the next number is tried.
 */
function keysOf(secret: string): { publicKey: string; privateKey: string } {
  for (let number = 0; ; number += 1) {
    const bytes = Buffer.from(hkdfSync('sha256', secret, '', `push:${number}`, 32))
    const curve = createECDH('prime256v1')
    try {
      curve.setPrivateKey(bytes)
      return {
        publicKey: curve.getPublicKey().toString('base64url'),
        privateKey: bytes.toString('base64url'),
      }
    } catch {
      // The bytes exceed the order of the curve: the next number is tried.
    }
  }
}
