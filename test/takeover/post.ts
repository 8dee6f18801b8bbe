import type { Mail } from '#server/ports/mail.ts'
import type { Push } from '#server/ports/push.ts'

/** A message that whoever reads an address can read. */
export type ReadMail = { subject: string; text: string }

/** A mail server and a push service in memory. */
export type Post = {
  mail: Mail
  push: Push
  /** The messages to an address, the newest last. */
  to: (address: string) => readonly ReadMail[]
  /** Forgets every message so far. */
  clear: () => void
}

/** `loses`: the messages that are lost, to check that the test notices. */
export function openPost(loses: (message: ReadMail) => boolean = () => false): Post {
  const boxes = new Map<string, ReadMail[]>()
  return {
    mail: {
      provider: 'smtp',
      send: async ({ to, subject, text }) => {
        if (!loses({ subject, text })) boxes.set(to, [...(boxes.get(to) ?? []), { subject, text }])
        return 'sent'
      },
    },
    push: { publicKey: '', addressOf: (endpoint) => endpoint, send: async () => 'sent' },
    to: (address) => boxes.get(address) ?? [],
    clear: () => boxes.clear(),
  }
}
