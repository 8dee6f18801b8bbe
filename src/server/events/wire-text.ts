import { constants, deflateRawSync } from 'node:zlib'

/** The start of a gzip file without a name or a time. Source: RFC 1952, 2.3. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0x03])

/** How a browser takes the stream: as text, or compressed. */
export type Encoding = 'text' | 'gzip'

/** Text on its way to many streams: compressed once, and only if a stream wants it so. */
export type WireText = Record<Encoding, () => string | Buffer>

/**
 * Each piece is a compressed block of its own that ends on a whole byte: any sequence of pieces after the header is a valid gzip stream, every
 * piece can be read as soon as it arrives, and no stream needs a compressor of its own.
 */
export function wireText(text: string): WireText {
  let compressed: Buffer | undefined
  return { text: () => text, gzip: () => (compressed ??= deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH })) }
}

export const beginning: Record<Encoding, string | Buffer> = { text: '', gzip: GZIP_HEADER }
