import { Refusal } from '#core/refusal.ts'
import { sentenceOf } from '#contract/problem.ts'
import { auditCommand } from '#server/security/audit.ts'
import type { Context } from '#server/context.ts'
import type { Operator } from '#server/operators/operator.ts'
import { NO_SEALS } from '#server/kernel/seal.ts'
import { StartupError } from '#server/kernel/errors.ts'
import { backup } from './backup/backup.ts'
import { restore } from './backup/restore.ts'
import { auditTrailCommand } from './audit-trail-command.ts'
import { bankFileCommand } from './bank-file-command.ts'
import type { Command, CommandResult, UnattendedCommand } from './command.ts'
import { distributeCommand } from './distribute-command.ts'
import { interestCommand } from './interest-command.ts'
import { mailCommand } from './outbox-command.ts'
import { operatorCommand } from './operator-command.ts'
import { haltCommand, resumeCommand, venueCommand } from './orders-command.ts'
import { reconcileCommand } from './reconcile-command.ts'
import { signInCommand, signOutCommand } from './sign-in-command.ts'
import type { UsageName } from './usage.ts'
import { userCommand } from './user-command.ts'
import { withdrawalsCommand } from './withdrawals-command.ts'

const COMMANDS = {
  withdrawals: withdrawalsCommand,
  payouts: bankFileCommand,
  halt: haltCommand,
  resume: resumeCommand,
  venue: venueCommand,
  interest: interestCommand,
  mail: mailCommand,
  user: userCommand,
  audit: auditTrailCommand,
} satisfies Record<string, Command>

/**
 * Commands that run daily without an operator, or before one can sign in. The database's password
 * is enough for them.
 */
const UNATTENDED = {
  reconcile: reconcileCommand,
  backup,
  restore,
  distribute: distributeCommand,
  operator: operatorCommand,
  'sign-in': signInCommand,
  'sign-out': signOutCommand,
} satisfies Record<Exclude<UsageName, 'doctor' | keyof typeof COMMANDS>, UnattendedCommand>

export type CommandName = keyof typeof COMMANDS | keyof typeof UNATTENDED

const isAttended = (name: CommandName): name is keyof typeof COMMANDS =>
  Object.hasOwn(COMMANDS, name)

export const isCommand = (name: string): name is CommandName =>
  Object.hasOwn(COMMANDS, name) || Object.hasOwn(UNATTENDED, name)

export async function perform(
  context: Context & { operator: Operator | undefined },
  name: CommandName,
  words: string[],
): Promise<CommandResult> {
  try {
    return await begin(context, name, words)
  } catch (error) {
    const reason = sentenceOfError(error)
    // Not after a refused restore into an empty database, because there is no book in which to
    // record it.
    if (reason !== undefined && context.seals !== NO_SEALS)
      await auditCommand(context, {
        action: `${name}.refused`,
        subject: 'command',
        details: { words: words.join(' ').slice(0, 300), reason },
      })
    throw error
  }
}

async function begin(
  context: Context & { operator: Operator | undefined },
  name: CommandName,
  words: string[],
): Promise<CommandResult> {
  const { operator } = context
  if (!isAttended(name)) return UNATTENDED[name](context, words)
  if (operator === undefined)
    throw new Refusal('operator-signed-out', {
      sentence: 'Sign in as an operator first: npm run ops -- sign-in NAME',
    })
  return COMMANDS[name]({ ...context, operator }, words)
}

/** Undefined for errors that are not meant for the operator. */
export function sentenceOfError(error: unknown): string | undefined {
  if (error instanceof Refusal) return sentenceOf(error)
  return error instanceof StartupError ? error.message : undefined
}
