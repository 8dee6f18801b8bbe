import { createECDH, hkdfSync } from 'node:crypto'
import type { Agent } from 'node:https'
import type { Push } from '#server/ports/push.ts'

const TIMEOUT_MS = 6_000
/** A message that a phone cannot get within a day is old news: the inbox has it. */
const KEPT_SECONDS = 86_400

/** A push service says that it knows the subscription no more, or, after the installation's secret changed, not from us. */
const GONE = new Set([401, 403, 404, 410])

type WebPush = {
  /** The installation's secret, of which the keys are made: every process has the same, and there is no file to keep or to lose. */
  secret: string
  /** Where push services reach the operator. */
  contact: string
  /** Hosts of push services; a name also stands for those below it. */
  services: readonly string[]
  agent?: Agent
}

/** Sends through the browsers' push services, encrypted for the one browser. */
export function webPushes({ secret, contact, services, agent }: WebPush): Push {
  const keys = keysOf(secret)
  const accepts = (endpoint: string) => isOfService(endpoint, services)
  return {
    publicKey: keys.publicKey,
    accepts,
    send: async ({ endpoint, p256dh, auth, topic, payload }) => {
      if (!accepts(endpoint)) return 'gone'
      const vapidDetails = { subject: contact, ...keys }
      // Loaded with the first message: most installations start without one.
      const { default: webPush } = await import('web-push')
      try {
        await webPush.sendNotification({ endpoint, keys: { p256dh, auth } }, payload, { vapidDetails, topic, TTL: KEPT_SECONDS, timeout: TIMEOUT_MS, urgency: 'high', ...(agent && { agent }) })
        return 'sent'
      } catch (error) {
        if (error instanceof webPush.WebPushError && GONE.has(error.statusCode)) return 'gone'
        throw error
      }
    },
  }
}

function isOfService(endpoint: string, services: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, username } = new URL(endpoint)
  return protocol === 'https:' && username === '' && services.some((service) => hostname === service || hostname.endsWith(`.${service}`))
}

/** A pair of keys on P-256. Source: RFC 8292. Of 2³² secrets fewer than one gives bytes that are no key; the next number then does. */
function keysOf(secret: string): { publicKey: string; privateKey: string } {
  for (let number = 0; ; number += 1) {
    const bytes = Buffer.from(hkdfSync('sha256', secret, '', `push:${number}`, 32))
    const curve = createECDH('prime256v1')
    try {
      curve.setPrivateKey(bytes)
      return { publicKey: curve.getPublicKey().toString('base64url'), privateKey: bytes.toString('base64url') }
    } catch {
      // Not below the order of the curve.
    }
  }
}
