import type { Mail } from '#server/ports/mail.ts'

/**
 * A minute for each step: many servers delay their greeting for strangers by half a minute. Source:
 * RFC 5321, 4.5.3.2, allows five.
 */
const TIMEOUT_MS = 60_000

/** Enhanced status codes for an address that does not exist. Source: RFC 3463, 3.2. */
const NO_SUCH_ADDRESS = /\b5\.1\.(1|2|3|6|10)\b/

type Smtp = { url: string; from: string }

/**
 * Threat: links to new passwords would travel in the clear, so TLS is required, except to this
 * machine itself.
 */
export function smtpMail({ url, from }: Smtp): Mail {
  const opening = openTransport(url)
  const domain = from.split('@').at(-1) ?? 'localhost'
  return {
    provider: 'smtp',
    send: async ({ id, to, subject, text, language, unsubscribe }) => {
      const transport = await opening
      try {
        const headers = {
          'Auto-Submitted': 'auto-generated',
          'Content-Language': language,
          ...(unsubscribe !== undefined && {
            'List-Unsubscribe': `<${unsubscribe}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        }
        await transport.sendMail({
          from: { name: 'Trading Bot', address: from },
          to: { name: '', address: to },
          subject,
          text,
          messageId: `<${id}@${domain}>`,
          headers,
        })
        return 'sent'
      } catch (error) {
        if (NO_SUCH_ADDRESS.test(responseOf(error))) return 'no-such-address'
        throw error
      }
    },
    verify: async () => void (await (await opening).verify()),
    close: () => void opening.then((transport) => transport.close()),
  }
}

async function openTransport(url: string) {
  const { createTransport } = await import('nodemailer')
  const { hostname, port, protocol, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  return createTransport({
    pool: true,
    maxConnections: 8,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isThisMachine(hostname),
    ignoreTLS: isThisMachine(hostname) && !secure,
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Threat: text from a user must never name a file or an address to be read and sent.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

const isThisMachine = (host: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(host)

function responseOf(error: unknown): string {
  return error instanceof Error && 'response' in error ? String(error.response) : ''
}
