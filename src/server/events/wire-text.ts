import { constants, deflateRawSync } from 'node:zlib'

/** The start of a gzip file without a name or a time. Source: RFC 1952, 2.3. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0x03])

/** How a browser takes the stream: as text, or compressed. */
export type Encoding = 'text' | 'gzip'

/** `chunk`: the same as a chunk of HTTP/1.1, which can be written to the socket of an answer. */
export type WirePiece = { bytes: Buffer; chunk: Buffer }

/** Text on its way to many streams: made once for all of them, and only as a stream wants it. */
export type WireText = Record<Encoding, () => WirePiece>

/**
 * Each piece is a compressed block of its own that ends on a whole byte: any sequence of pieces
 * after the header is a valid gzip stream, every piece can be read as soon as it arrives, and no
 * stream needs a compressor of its own.
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
export function wirePiece(bytes: Buffer): WirePiece {
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
