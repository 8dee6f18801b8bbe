import type { CommandResult } from './command.ts'
import { sentenceOfError } from './commands.ts'
import { whenUnread } from '#server/kernel/readable-log.ts'
import { runCommand } from './run-command.ts'

function print({ lines, ok }: CommandResult): number {
  for (const line of lines)
    console.log(
      process.stdout.isTTY && line.startsWith('wrong ') ? `\u001B[31m${line}\u001B[39m` : line,
    )
  return ok ? 0 : 1
}

function messageOf(error: unknown): string {
  const sentence = sentenceOfError(error)
  if (sentence === undefined) throw error
  return sentence
}

whenUnread(() => process.exit())

try {
  process.exitCode = print(await runCommand(process.argv.slice(2)))
} catch (error) {
  console.error(messageOf(error))
  process.exitCode = 1
}
