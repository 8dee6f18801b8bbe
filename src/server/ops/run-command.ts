import { pino } from 'pino'
import { isSet, readConfig, type Config, type Environment } from '#server/settings/config.ts'
import type { Context } from '#server/context.ts'
import { bookOn } from '#server/db/book.ts'
import { checkBook, isUsed } from '#server/db/check-book.ts'
import { prepareDatabase } from '#server/db/prepare.ts'
import { keptPort } from '#server/settings/own-address.ts'
import { openContext, openFeed } from '#server/open-context.ts'
import type { Operator } from '#server/operators/operator.ts'
import { operatorOfToken } from '#server/operators/sign-in.ts'
import { NO_SEALS } from '#server/kernel/seal.ts'
import { StartupError } from '#server/kernel/errors.ts'
import type { CommandResult } from './command.ts'
import { refuseUnreadable } from './backup/restore.ts'
import { isCommand, perform } from './commands.ts'
import { connect } from './connect.ts'
import { doctor } from './doctor-command.ts'
import { readToken } from './sign-in-command.ts'
import { sentenceOfSurplus, usage } from './usage.ts'

/** Commands that change or lock tables, which the app's role cannot. */
const OWNERS_COMMANDS = new Set(['backup', 'restore', 'distribute'])

const HELP = new Set(['help', '--help', '-h'])

/** Throws the list of commands if the words contain none. */
export async function runCommand(
  [name = '', ...words]: readonly string[],
  environment?: Environment,
): Promise<CommandResult> {
  if (HELP.has(name)) return { lines: usage().split('\n'), ok: true }
  if (name !== 'doctor' && !isCommand(name))
    throw new StartupError(name === '' ? usage() : `There is no command ${name}.\n${usage()}`)
  const surplus = sentenceOfSurplus(name, words)
  if (surplus !== undefined) throw new StartupError(surplus)
  if (name === 'doctor')
    return doctor({ words, now: () => new Date(), ...(environment && { environment }) })
  const isRestore = name === 'restore'
  if (isRestore) await refuseUnreadable(words)
  const config = configOfServer(environment)
  const { sql, ownerUrl, close } = await connect(config, {
    mayCreate: isRestore,
    asOwner: OWNERS_COMMANDS.has(name),
  })
  try {
    await prepareDatabase(sql, ownerUrl)
    // Not for a restore, which checks the book after reading it, so that a refused backup leaves no
    // book of this secret behind.
    const book =
      isRestore && !(await isUsed(sql)) ? bookOn(sql, NO_SEALS) : await checkBook(sql, config)
    const log = pino({ level: 'warn' })
    const context = openContext({
      ...book,
      config,
      log,
      feed: await openFeed({ config, sql, log }),
    })
    await context.market.refresh()
    const operator = await signedIn(context)
    return await perform({ ...context, operator }, name, words)
  } finally {
    await close()
  }
}

/**
 * The configuration, with the port of the server that runs or ran on this data folder if none is
 * set.
 */
function configOfServer(environment?: Environment): Config {
  const config = readConfig(environment)
  const port = isSet('PORT', environment) ? undefined : keptPort(config.DATA_DIR)
  return port === undefined ? config : { ...config, PORT: port }
}

async function signedIn(context: Context): Promise<Operator | undefined> {
  const token = await readToken(context.config)
  return token === undefined ? undefined : operatorOfToken(context, token)
}
