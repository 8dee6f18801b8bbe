import { pino } from 'pino'
import { readConfig, type Environment } from '#server/config.ts'
import type { Context } from '#server/context.ts'
import { checkBook } from '#server/db/check-book.ts'
import { prepareDatabase } from '#server/db/prepare.ts'
import { sealEarlierRows } from '#server/ledger/seal-earlier.ts'
import { openContext, openEvents, openFeed } from '#server/open-context.ts'
import type { Operator } from '#server/operators/operator.ts'
import { operatorOfToken } from '#server/operators/sign-in.ts'
import { StartupError } from '#server/startup-error.ts'
import type { Outcome } from './command.ts'
import { isCommand, perform } from './commands.ts'
import { connect } from './connect.ts'
import { doctor } from './doctor-command.ts'
import { readToken } from './token-file.ts'

const USAGE = `npm run ops -- COMMAND
  doctor [BACKUP]                              list what is missing or wrong in the configuration; exit 1 if anything is
  reconcile                                    recompute the whole book and list each row that differs; exit 1 if any does
  withdrawals list                             list every open withdrawal
  withdrawals review|approve|reject|mark-paid|mark-failed|mark-returned ID [--note TEXT]
                                               mark-failed and mark-returned take two different operators
  payouts list                                 list the newest batches for the bank
  payouts export FOLDER [BATCH]                write everything approved to a file for the bank, or a batch's file again
  payouts mark-paid|mark-failed BATCH          mark the payouts of a batch that are still on their way
  halt [REASON]                                stop all new orders within a second, in every process
  resume                                       allow orders again
  venue compare                                compare the exchange's balances with the book
  venue funded|withdrew AMOUNT REFERENCE       book money moved from the bank to the exchange, or back
  interest                                     interest paid on idle cash, and what the bank received for it
  interest funded AMOUNT REFERENCE             book money that the bank received for it
  mail [NAME]                                  show the newest messages of a paper book without a mail server; else how many wait
  user NAME                                    show a user's balances and bots
  user NAME freeze REASON | unfreeze           let a user see everything but change nothing; payouts wait
  user NAME release-holds REASON               let withdrawals be sent before their hold ends; takes two different operators
  user NAME end-sessions                       sign a user out everywhere
  audit list [SUBJECT]                         list the newest events of the audit trail
  operator add NAME --role ROLE                add an operator: admin, support, payouts or auditor, several with commas
  operator list                                list everybody who is or was an operator
  operator disable NAME                        end an operator's access
  sign-in NAME                                 sign in for 8 hours, with password and code
  sign-out                                     end that session
  backup FILE                                  write a snapshot of everything to one file
  restore FILE                                 restore a backup into an empty database
  archive MONTH                                let the entries, fees and stays of a month, such as 2024-01, leave for files
  distribute [--shards NUMBER] [--yes]         plan how Citus distributes the users' tables over its nodes; with --yes, do it
All but doctor, reconcile, backup, restore, archive and distribute need an operator who is signed in. Everything is audited under their name.`

/** They change or lock tables, which the app's role cannot. */
const OWNERS_COMMANDS = new Set(['backup', 'restore', 'archive', 'distribute'])

/** Runs a command of `npm run ops` with the settings of `environment`, by default those of the process. Words that name no command throw the list of commands. */
export async function runCommand([name = '', ...words]: readonly string[], environment?: Environment): Promise<Outcome> {
  if (name === 'doctor') return doctor({ words, now: () => new Date(), ...(environment && { environment }) })
  if (!isCommand(name)) throw new StartupError(USAGE)
  const config = readConfig(environment)
  const isRestore = name === 'restore'
  const { sql, ownerUrl, close } = await connect(config, { mayCreate: isRestore, asOwner: OWNERS_COMMANDS.has(name) })
  try {
    await prepareDatabase(sql, ownerUrl)
    await checkBook(sql, config)
    await sealEarlierRows(sql)
    const log = pino({ level: 'warn' })
    const events = await openEvents({ config, sql, log })
    try {
      const context = openContext({ config, sql, log, events, feed: await openFeed({ config, sql, log }) })
      await context.market.refresh()
      const operator = await signedIn(context)
      return await perform({ ...context, operator }, name, words)
    } finally {
      await events.stop()
    }
  } finally {
    await close()
  }
}

async function signedIn(context: Context): Promise<Operator | undefined> {
  const token = await readToken(context.config)
  return token === undefined ? undefined : operatorOfToken(context, token)
}
