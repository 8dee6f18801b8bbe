import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '#server/kernel/errors.ts'
import { StartupError } from './errors.ts'

/** The newest link of a book's chain of seals. */
export type Head = { number: bigint; seal: string }

/**
 * One file per book, next to the secret. Detects a rollback: the chain of a restored older database
 * ends before this head.
 */
export const headFileOf = (dataDir: string, bookId: string): string =>
  join(dataDir, 'heads', `${bookId}.json`)

/**
 * Undefined if this installation has not seen the book yet. Throws `StartupError` if the file is
 * damaged.
 */
export async function readHead(dataDir: string, bookId: string): Promise<Head | undefined> {
  const file = headFileOf(dataDir, bookId)
  try {
    const { number, seal } = JSON.parse(await readFile(file, 'utf8')) as {
      number?: unknown
      seal?: unknown
    }
    if (typeof number === 'string' && /^\d+$/.test(number) && typeof seal === 'string')
      return { number: BigInt(number), seal }
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined
    throw new StartupError(
      `The head of the book's seals in ${file} cannot be read: put the file back, or remove ` +
        'it if it was lost.',
      { cause: error },
    )
  }
  throw new StartupError(
    `The head of the book's seals in ${file} is damaged: put the file back, or remove it if ` +
      'it was lost.',
  )
}

/** Renames a temporary file, so that a crash leaves either the old head or the new one. */
export async function keepHead(
  dataDir: string,
  bookId: string,
  { number, seal }: Head,
): Promise<void> {
  const file = headFileOf(dataDir, bookId)
  await mkdir(join(dataDir, 'heads'), { recursive: true })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify({ number: String(number), seal })}\n`, {
    mode: 0o600,
    flush: true,
  })
  await rename(draft, file)
}

/** Deletes the kept head of a restored book, whose chain starts again. */
export async function forgetHead(dataDir: string, bookId: string): Promise<void> {
  await rm(headFileOf(dataDir, bookId), { force: true })
}
