import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import { codeOf } from '#server/code-of.ts'
import { makeFolder } from '#server/make-folder.ts'

type Place = Pick<Config, 'DATA_DIR' | 'OPERATOR_TOKEN'>

const fileOf = ({ DATA_DIR }: Place): string => join(DATA_DIR, 'operator-token')

/**
 * The token of the operator's session: OPERATOR_TOKEN, or what the last sign-in stored; undefined
 * if there is none.
 */
export async function readToken(config: Place): Promise<string | undefined> {
  if (config.OPERATOR_TOKEN !== undefined) return config.OPERATOR_TOKEN
  try {
    return (await readFile(fileOf(config), 'utf8')).trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Stores the token where nobody but the user of this machine can read it, and returns the file. */
export async function storeToken(config: Place, token: string): Promise<string> {
  const file = fileOf(config)
  makeFolder(config.DATA_DIR)
  await writeFile(`${file}.part`, `${token}\n`, { mode: 0o600, flush: true })
  await rename(`${file}.part`, file)
  return file
}

export async function removeToken(config: Place): Promise<void> {
  await rm(fileOf(config), { force: true })
}
