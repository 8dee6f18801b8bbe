import { refusal } from '../command.ts'
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { open, type FileHandle } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Refusal } from '#core/refusal.ts'

/**
 * A line with format, secret and salt, then records: length, name, and text, compressed and sealed
 * with AES-256-GCM. The key comes from the installation's secret and the salt. The nonce is the
 * record's number, so a record is valid only at one place of one file. The manifest is last, so
 * that a truncated file is recognized.
 */
export type BackupRecord = { name: string; text: string }

const FORMAT = 'trading-bot-backup-1'
const TAG_BYTES = 16
const HEAD_BYTES = 5
const MOST_BYTES = 1_000_000_000

type Keys = { key: Buffer; line: string }

function keysOf(secret: string, salt: Buffer): Keys {
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'backup:k1', 32))
  return { key, line: `${FORMAT} ${nameOf(secret)} ${salt.toString('base64url')}\n` }
}

/** A name for the secret, which reveals nothing about it. */
function nameOf(secret: string): string {
  return createHmac(
    'sha256',
    Buffer.from(hkdfSync('sha256', secret, '', 'name of the secret:k1', 32)),
  )
    .update('name')
    .digest('base64url')
    .slice(0, 12)
}

export function recordWriter(
  out: Writable,
  secret: string,
): (record: BackupRecord) => Promise<void> {
  const { key, line } = keysOf(secret, randomBytes(16))
  out.write(line)
  let number = 0
  return async ({ name, text }) => {
    number += 1
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number)).setAAD(
      Buffer.from(line + name),
    )
    const body = Buffer.concat([cipher.update(gzipSync(text)), cipher.final(), cipher.getAuthTag()])
    if (!out.write(Buffer.concat([headOf(body.length, name), Buffer.from(name), body])))
      await once(out, 'drain')
  }
}

function headOf(length: number, name: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32BE(length)
  head.writeUInt8(name.length, 4)
  return head
}

function nonceOf(number: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(number, 8)
  return nonce
}

/**
 * Reads records, each authenticated with its place. Refuses with a sentence that names the altered
 * part.
 */
export async function* readRecords(file: string, secret: string): AsyncGenerator<BackupRecord> {
  const handle = await open(file)
  try {
    yield* recordsOf(handle, { file, secret })
  } finally {
    await handle.close()
  }
}

const refused = (sentence: string): Refusal => refusal(`${sentence} Nothing was restored.`)

async function* recordsOf(
  handle: FileHandle,
  { file, secret }: { file: string; secret: string },
): AsyncGenerator<BackupRecord> {
  const { key, line } = await readLine(handle, { file, secret })
  const place = placeIn()
  for (let number = 1; ; number += 1) {
    const head = await read(handle, HEAD_BYTES)
    if (head.length === 0) return
    if (head.length < HEAD_BYTES) throw refused(`${file} is cut off after ${place.last}.`)
    const [length, nameLength] = [head.readUInt32BE(), head.readUInt8(4)]
    if (length > MOST_BYTES || length < TAG_BYTES)
      throw refused(`${file} was altered after ${place.last}.`)
    const name = (await read(handle, nameLength)).toString()
    const body = await read(handle, length)
    if (body.length < length) throw refused(`${file} is cut off in ${place.next(name)}.`)
    const text = opened(body, { key, number, aad: line + name })
    if (text === undefined) throw refused(`${file} was altered in ${place.next(name)}.`)
    place.advance(name)
    yield { name, text }
  }
}

async function readLine(
  handle: FileHandle,
  { file, secret }: { file: string; secret: string },
): Promise<Keys> {
  const length = keysOf(secret, Buffer.alloc(16)).line.length
  const line = (await read(handle, length)).toString()
  const [format, name, salt = ''] = line.trimEnd().split(' ')
  if (format !== FORMAT || line.length < length)
    throw refused(`${file} is not a backup of this product.`)
  if (name !== nameOf(secret))
    throw refused(
      `${file} was encrypted with another SESSION_SECRET: set the one that belongs to it.`,
    )
  return keysOf(secret, Buffer.from(salt, 'base64url'))
}

async function read(handle: FileHandle, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

/** Undefined if the record was not written with this number and name. */
function opened(
  body: Buffer,
  { key, number, aad }: { key: Buffer; number: number; aad: string },
): string | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number), {
    authTagLength: TAG_BYTES,
  }).setAAD(Buffer.from(aad))
  decipher.setAuthTag(body.subarray(-TAG_BYTES))
  try {
    return gunzipSync(
      Buffer.concat([decipher.update(body.subarray(0, -TAG_BYTES)), decipher.final()]),
    ).toString()
  } catch {
    // The key, the place or the text differs: the cipher reports only that it does not match.
    return undefined
  }
}

function placeIn() {
  let [table, line] = ['', 0]
  const placeOf = (name: string, number: number) =>
    /^[a-z_]+$/.test(name)
      ? `line ${number} of ${name}`
      : `line ${number} after ${table || 'the first line'}`
  return {
    get last() {
      return table === '' ? 'its first line' : placeOf(table, line)
    },
    next: (name: string) => placeOf(name, name === table ? line + 1 : 1),
    advance: (name: string) => {
      ;[table, line] = [name, name === table ? line + 1 : 1]
    },
  }
}
