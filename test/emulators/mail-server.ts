import { SMTPServer } from 'smtp-server'

export type ReceivedMail = {
  id: string
  from: string
  to: string
  subject: string
  text: string
  raw: string
}

/** A real mail server on loopback, which stores the messages it receives. */
export type MailServer = {
  url: string
  received: ReceivedMail[]
  /** Mail to these addresses is refused as unknown. */
  unknown: Set<string>
  /** Refuses everything for now, as a busy server does. */
  setBusy: (isBusy: boolean) => void
  close: () => Promise<void>
}

/** `greetAfterMs`: delay of its greeting, as servers delay strangers. */
export async function startMailServer({
  port = 0,
  greetAfterMs = 0,
}: { port?: number; greetAfterMs?: number } = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const unknown = new Set<string>()
  let busy = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) => void setTimeout(done, greetAfterMs),
    onRcptTo: ({ address }, _session, done) => {
      if (busy) return done(refusal(451, '4.3.2 please try again later'))
      return unknown.has(address) ? done(refusal(550, '5.1.1 no such user here')) : done()
    },
    onData: (stream, session, done) => {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        received.push(
          read(Buffer.concat(pieces).toString('utf8'), session.envelope.rcptTo[0]?.address ?? ''),
        )
        done()
      })
    },
  })
  // Ignores errors of a client that is killed in the middle of a message.
  server.on('error', () => undefined)
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', () => listening()))
  const address = server.server.address()
  const used = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${used}`,
    received,
    unknown,
    setBusy: (isBusy) => {
      busy = isBusy
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

function read(raw: string, to: string): ReceivedMail {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const headers = new Map(
    head
      .replaceAll(/\r\n\s+/g, ' ')
      .split('\r\n')
      .map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  )
  const body = rest.join('\r\n\r\n')
  const text =
    headers.get('content-transfer-encoding') === 'quoted-printable'
      ? fromQuotedPrintable(body)
      : body
  return {
    id: headers.get('message-id') ?? '',
    from: headers.get('from') ?? '',
    to,
    subject: fromEncodedWords(headers.get('subject') ?? ''),
    text: text.replaceAll('\r\n', '\n'),
    raw,
  }
}

function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Source: RFC 2047. */
function fromEncodedWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, encoding: string, content: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(content, 'base64').toString('utf8')
        : fromQuotedPrintable(content.replaceAll('_', ' ')),
    )
}
