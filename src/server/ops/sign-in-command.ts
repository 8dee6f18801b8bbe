import { Refusal } from '#core/refusal.ts'
import { SESSION_HOURS, signIn, signOut, TERMINAL } from '#server/operators/sign-in.ts'
import type { UnattendedCommand } from './command.ts'
import { openTerminal } from './terminal.ts'
import { readToken, removeToken, storeToken } from './token-file.ts'

/**
 * Asks for the password and a code, and stores the session's token for the commands that follow.
 */
export const signInCommand: UnattendedCommand = async (context, [name = '']) => {
  if (name === '')
    throw new Refusal('invalid-input', {
      sentence: 'Give your name as an operator: npm run ops -- sign-in NAME',
    })
  const terminal = openTerminal()
  try {
    const password = await terminal.ask('Password', { hidden: true })
    const code = await terminal.ask('Code of your authenticator app')
    const { token, operator } = await signIn(context, { name, password, code, address: TERMINAL })
    const file = await storeToken(context.config, token)
    return {
      lines: [
        `Signed in as ${operator.name} for ${SESSION_HOURS} hours: ` +
          `${operator.roles.join(', ')}. The session is stored in ${file}.`,
      ],
      ok: true,
    }
  } finally {
    terminal.close()
  }
}

export const signOutCommand: UnattendedCommand = async (context) => {
  const token = await readToken(context.config)
  if (token !== undefined) await signOut(context, token)
  await removeToken(context.config)
  return { lines: ['Signed out.'], ok: true }
}
