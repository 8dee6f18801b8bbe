import { constants, deflateRawSync } from 'node:zlib'

/** Start of a gzip file without name and time. Source: RFC 1952, 2.3. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0x03])

export type Encoding = 'text' | 'gzip'

/**
 * `chunk`: the same bytes framed as an HTTP/1.1 chunk, to be written to the socket of an answer.
 */
type WirePiece = { bytes: Buffer; chunk: Buffer }

/** An event's encoded text, shared by all streams; each encoding is computed on first use. */
export type WireText = Record<Encoding, () => WirePiece>

/**
 * Each piece is a compressed block that ends on a whole byte: any sequence of pieces after the
 * header is valid gzip, every piece is readable on arrival, and no stream needs its own compressor.
 */
export function wireText(text: string): WireText {
  const pieces: Partial<Record<Encoding, WirePiece>> = {}
  return {
    text: () => (pieces.text ??= wirePiece(Buffer.from(text))),
    gzip: () =>
      (pieces.gzip ??= wirePiece(deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH }))),
  }
}

/** Source: RFC 9112, 7.1. */
function wirePiece(bytes: Buffer): WirePiece {
  return {
    bytes,
    chunk: Buffer.concat([
      Buffer.from(`${bytes.length.toString(16)}\r\n`),
      bytes,
      Buffer.from('\r\n'),
    ]),
  }
}

export const beginning: Record<Encoding, Buffer> = { text: Buffer.alloc(0), gzip: GZIP_HEADER }
