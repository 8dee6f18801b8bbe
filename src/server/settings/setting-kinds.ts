import { z } from 'zod'
import { coinOf } from '#core/wallets/chain.ts'
import { ESCAPES, faultOfAddress } from './database-address.ts'

/**
 * A schema for each kind of setting. Its message completes "The setting PORT is not valid: …".
 */

/**
 * Maximum of numbers without another limit: fits in an integer of the database, and sums are exact.
 */
export const MOST = 1_000_000_000

/** One line of text: words, a name or a path. */
export const line = (most = 1_000) =>
  z
    .string()
    .max(most, `it has at most ${most} letters`)
    .regex(/^\P{Cc}+$/u, 'it is one line of text')

/** A key or token. Restricted, because in headers other characters would make every call fail. */
export const key = () =>
  z
    .string()
    .max(4_000, 'it has at most 4000 letters')
    .regex(/^[\u0021-\u007E]+$/, 'it has only letters, digits and signs of ASCII, and no blanks')

/** A secret that an exchange gave, which may be a key of several lines. */
export const secretText = () =>
  z
    .string()
    .max(10_000, 'it has at most 10000 letters')
    .regex(/^[\n\r\u0020-\u007E]+$/, 'it has only letters, digits and signs of ASCII')

/** A number without sign, point or exponent, so that a blank or a word never counts as 0. */
export function whole(least: number, most: number) {
  const message = `it is a whole number from ${least} to ${most}`
  return z
    .string()
    .trim()
    .regex(/^\d{1,12}$/, message)
    .transform(Number)
    .pipe(z.number().min(least, message).max(most, message))
}

export function decimal(least: number, most: number) {
  const message = `it is a number from ${least} to ${most}`
  return z
    .string()
    .trim()
    .regex(/^\d{1,9}(\.\d{1,9})?$/, message)
    .transform(Number)
    .pipe(z.number().min(least, message).max(most, message))
}

export const oneOf = <const Names extends readonly [string, ...string[]]>(...names: Names) =>
  z
    .string()
    .trim()
    .pipe(
      z.enum(names, {
        error:
          names.length === 1 ? `it can only be ${names[0]}` : `it is one of ${names.join(', ')}`,
      }),
    )

/** Names with commas between them. */
export const someOf = <const Names extends readonly [string, ...string[]]>(...names: Names) =>
  z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(oneOf(...names)).min(1))

export const email = () =>
  z.email('it is an email address').max(254, 'it is an email address of at most 254 letters')

/** A contact: an email address or a page. */
export const emailOrPage = () =>
  z
    .string()
    .trim()
    .refine(
      (text) => [email(), webAddress(500)].some((kind) => kind.safeParse(text).success),
      'it is an email address, or the address of a page such as https://host.example/help',
    )

export const host = () =>
  z
    .string()
    .max(253)
    .regex(
      /^[A-Za-z0-9.:%_-]+$/,
      'it is an address or a name of this machine, such as 127.0.0.1 or localhost',
    )

/** A time such as 2023-10-01T00:00:00Z, within the years for which there can be candles. */
export const moment = () =>
  z.string().trim().refine(isMoment, 'it is a time such as 2023-10-01T00:00:00Z')

function isMoment(text: string): boolean {
  return (
    z.iso.datetime().safeParse(text).success &&
    /^20\d\d/.test(text) &&
    !Number.isNaN(Date.parse(text))
  )
}

const WEB = ['http', 'https']

export const webAddress = (most = 2_000) =>
  address({ schemes: WEB, example: 'https://host.example/path', most })

export const socketAddress = () =>
  address({ schemes: ['ws', 'wss'], example: 'wss://host.example/path', most: 2_000 })

function address({
  schemes,
  example,
  most,
}: {
  schemes: readonly string[]
  example: string
  most: number
}) {
  const message = `it is an address such as ${example}; ${ESCAPES}`
  return z
    .string()
    .trim()
    .max(most, message)
    .refine((text) => readableAddress(text, schemes) !== undefined, message)
}

/** Addresses of blockchain nodes, by chain id. */
export function addressesOfChains() {
  const message =
    'it names chains and their addresses, such as 1=https://host.example/path 137=https://…; ' +
    ESCAPES
  return z
    .string()
    .max(8_000, message)
    .transform((text) => text.trim().split(/\s+/).map(chainAndAddress))
    .refine((pairs) => pairs.every((pair) => pair !== undefined), message)
    .transform((pairs): Record<number, string> =>
      Object.fromEntries(pairs.map((pair) => pair ?? [])),
    )
}

function chainAndAddress(text: string): [string, string] | undefined {
  const [, chain = '', address = ''] = /^(\d+)=(.+)$/.exec(text) ?? []
  const isKnown = coinOf(Number(chain)) !== undefined
  return isKnown && readableAddress(address, WEB) ? [chain, address] : undefined
}

/** `postgres://`, as the driver reads it. */
export const databaseAddress = () =>
  z
    .string()
    .trim()
    .superRefine((text, ctx) => {
      const fault = faultOfAddress(text)
      if (fault !== undefined) ctx.addIssue({ code: 'custom', message: fault })
    })

/**
 * The address of a mail server. Refuses text after host and port, which is the rest of a password
 * with a # or /.
 */
export function mailAddress() {
  const message =
    'it is the address of a mail server, such as smtps://user:password@mail.example:465; ' + ESCAPES
  return z
    .string()
    .trim()
    .max(2_000, message)
    .refine((text) => {
      const url = readableAddress(text, ['smtp', 'smtps'])
      return url !== undefined && url.search === '' && ['', '/'].includes(url.pathname)
    }, message)
}

/**
 * Undefined if the text is no address of these schemes with a host, or if its user name or password
 * has an invalid escape.
 */
function readableAddress(text: string, schemes: readonly string[]): URL | undefined {
  if (!/^[\u0021-\u007E]+$/.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (!schemes.includes(url.protocol.slice(0, -1)) || url.hostname === '' || url.hash !== '')
    return undefined
  try {
    for (const part of [url.username, url.password]) decodeURIComponent(part)
    return url
  } catch {
    return undefined
  }
}
