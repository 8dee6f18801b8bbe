import { SESSION_HOURS, signIn, signOut, TERMINAL } from '#server/operators/sign-in.ts'
import { done, refusal, type UnattendedCommand } from './command.ts'
import { openTerminal } from './terminal.ts'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/settings/config.ts'
import { codeOf } from '#server/kernel/errors.ts'
import { makeFolder } from '#server/kernel/make-folder.ts'

/**
 * Asks for the password and a code, and stores the session's token for the commands that follow.
 */
export const signInCommand: UnattendedCommand = async (context, [name = '']) => {
  if (name === '') throw refusal('Give your name as an operator: npm run ops -- sign-in NAME')
  const terminal = openTerminal()
  try {
    const password = await terminal.ask('Password', { hidden: true })
    const code = await terminal.ask('Code of your authenticator app')
    const { token, operator } = await signIn(context, { name, password, code, address: TERMINAL })
    const file = await storeToken(context.config, token)
    return done(
      `Signed in as ${operator.name} for ${SESSION_HOURS} hours: ` +
        `${operator.roles.join(', ')}. The session is stored in ${file}.`,
    )
  } finally {
    terminal.close()
  }
}

export const signOutCommand: UnattendedCommand = async (context) => {
  const token = await readToken(context.config)
  if (token !== undefined) await signOut(context, token)
  await removeToken(context.config)
  return done('Signed out.')
}

type Place = Pick<Config, 'DATA_DIR' | 'OPERATOR_TOKEN'>

const fileOf = ({ DATA_DIR }: Place): string => join(DATA_DIR, 'operator-token')

/**
 * The token of the operator's session: OPERATOR_TOKEN, or the one stored by the last sign-in;
 * undefined if there is none.
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

async function storeToken(config: Place, token: string): Promise<string> {
  const file = fileOf(config)
  makeFolder(config.DATA_DIR)
  await writeFile(`${file}.part`, `${token}\n`, { mode: 0o600, flush: true })
  await rename(`${file}.part`, file)
  return file
}

async function removeToken(config: Place): Promise<void> {
  await rm(fileOf(config), { force: true })
}
