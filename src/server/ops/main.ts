import { pino } from 'pino'
import { Refusal } from '#core/refusal.ts'
import { sentenceOf } from '#contract/problem.ts'
import { readConfig } from '#server/config.ts'
import { checkBook } from '#server/db/check-book.ts'
import { migrate } from '#server/db/migrate.ts'
import { openContext, openFeed } from '#server/open-context.ts'
import { StartupError } from '#server/startup-error.ts'
import { backup, restore } from './backup.ts'
import { bankFileCommand } from './bank-file-command.ts'
import type { Command } from './command.ts'
import { connect } from './connect.ts'
import { doctor } from './doctor-command.ts'
import { haltCommand, resumeCommand, venueCommand } from './orders-command.ts'
import { reconcileCommand } from './reconcile-command.ts'
import { userCommand } from './user-command.ts'
import { withdrawalsCommand } from './withdrawals-command.ts'

const USAGE = `npm run ops -- COMMAND
  doctor [BACKUP]                              list what is missing or wrong in the configuration; exit 1 if anything is
  reconcile                                    recompute the whole book and list each row that differs; exit 1 if any does
  withdrawals list                             list every open withdrawal
  withdrawals review|approve|reject|mark-paid|mark-failed|mark-returned ID [--note TEXT]
  payouts list                                 list the newest batches for the bank
  payouts export FOLDER [BATCH]                write everything approved to a file for the bank, or a batch's file again
  payouts mark-paid|mark-failed BATCH          mark the payouts of a batch that are still on their way
  halt [REASON]                                stop all new orders within a second, in every process
  resume                                       allow orders again
  venue compare                                compare the exchange's balances with the book
  venue funded|withdrew AMOUNT REFERENCE       book money moved from the bank to the exchange, or back
  user NAME                                    show a user's balances and bots
  backup FILE                                  write a snapshot of everything to one file
  restore FILE                                 restore a backup into an empty database
Set OPERATOR to your name: it appears in the audit trail.`

const COMMANDS: Record<string, Command> = {
  reconcile: reconcileCommand,
  withdrawals: withdrawalsCommand,
  payouts: bankFileCommand,
  halt: haltCommand,
  resume: resumeCommand,
  venue: venueCommand,
  user: userCommand,
  backup,
  restore,
}

async function run([name = '', ...words]: string[]): Promise<number> {
  if (name === 'doctor') return print(await doctor({ words, now: () => new Date() }))
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) {
    console.error(USAGE)
    return 1
  }
  const config = readConfig()
  const { sql, close } = await connect(config, { mayCreate: name === 'restore' })
  try {
    await migrate(sql)
    await checkBook(sql, config.BOOK)
    const log = pino({ level: 'warn' })
    const context = openContext({ config, sql, log, feed: await openFeed({ config, sql, log }) })
    await context.market.refresh()
    return print(await command(context, words))
  } finally {
    await close()
  }
}

function print({ lines, ok }: { lines: string[]; ok: boolean }): number {
  for (const line of lines) console.log(line)
  return ok ? 0 : 1
}

function messageOf(error: unknown): string {
  if (error instanceof Refusal) return sentenceOf(error)
  if (error instanceof StartupError) return error.message
  throw error
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  console.error(messageOf(error))
  process.exitCode = 1
}
