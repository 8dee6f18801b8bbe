import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { englishMoneyText } from '#core/money/text.ts'
import { achFile, type AchOrigin } from '#core/withdrawals/ach-file.ts'
import { payoutCsv, totalOf, type PayoutBatch } from '#core/withdrawals/payout-batch.ts'
import { auditCommand, operatorOf } from '#server/security/audit.ts'
import type { Context } from '#server/context.ts'
import { listOpenWithdrawals } from '#server/withdrawals/list-withdrawals.ts'
import { permit, type OperatorContext } from '#server/operators/operator.ts'
import { originOf, withBankLetters } from '#server/withdrawals/bank-names.ts'
import { haltPayouts, resumePayouts } from '#server/withdrawals/halt-payouts.ts'
import { listBatches, makeBatch, markBatch, readBatch } from '#server/withdrawals/payout-batches.ts'
import { done, refusal, type Command } from './command.ts'
import { misused } from './usage.ts'

export const bankFileCommand: Command = async (context, [verb = 'list', ...words]) => {
  await permit(context, verb === 'list' ? 'read payouts' : 'decide about payouts')
  if (verb === 'list') return done(...(await list(context)))
  if (verb === 'halt' || verb === 'resume')
    return done(await switchPayouts(context, verb, words.join(' ').slice(0, 300)))
  if (context.payouts.provider !== 'bank-file') {
    throw refusal(`Payouts go through ${context.payouts.provider}: batches need PAYOUTS=bank-file.`)
  }
  if (verb === 'export') return done(...(await exportBatch(context, words)))
  if (verb === 'mark-paid' || verb === 'mark-failed') {
    const number = batchNumber(words[0])
    const { marked, waiting } = await markBatch(context, { number, action: verb })
    await auditCommand(context, {
      action: `payouts.${verb}`,
      subject: String(number),
      details: { marked: String(marked), waiting: String(waiting) },
    })
    const second =
      waiting > 0
        ? [`${waiting} payouts stay as they are until a second, different operator marks them too.`]
        : []
    return done(
      `${marked} payouts of batch ${number} are ${verb === 'mark-paid' ? 'paid' : 'failed'} now.`,
      ...second,
    )
  }
  throw misused('payouts')
}

async function switchPayouts(
  context: OperatorContext,
  verb: 'halt' | 'resume',
  reason: string,
): Promise<string> {
  const actor = operatorOf(context)
  if (verb === 'halt') {
    const isNew = await haltPayouts(context, { actor, reason: reason || 'by an operator' })
    return isNew ? 'Payouts are halted: nothing more is sent.' : 'Payouts were already halted.'
  }
  return (await resumePayouts(context, { actor })) ? 'Payouts go on.' : 'Payouts were not halted.'
}

async function list(context: OperatorContext): Promise<string[]> {
  await auditCommand(context, { action: 'payouts.list', subject: 'payouts' })
  const batches = await listBatches(context)
  if (batches.length === 0) return ['No batches.']
  return batches.map(({ number, createdAt, payouts, total, open, returned, operator }) =>
    [
      `batch ${number}`,
      createdAt.toISOString(),
      `${payouts} payouts`,
      englishMoneyText({ amount: total }),
      `${open} on their way`,
      `${returned} came back`,
      operator,
    ].join('  '),
  )
}

/**
 * Without a batch number, all approved withdrawals become a new batch. With one, the file of that
 * batch is written again, byte for byte.
 */
async function exportBatch(
  context: OperatorContext,
  [folder = '', given]: string[],
): Promise<string[]> {
  if (folder === '') throw misused('payouts')
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => {
    throw refusal(`${folder} cannot be used as a folder. No batch was created.`)
  })
  const number =
    given === undefined ? await makeBatch(context, operatorOf(context)) : batchNumber(given)
  const waiting = given === undefined ? await listWaiting(context) : []
  if (number === undefined)
    await auditCommand(context, { action: 'payouts.export', subject: 'nothing' })
  if (number === undefined)
    return [
      waiting.length === 0 ? 'Nothing is approved: no batch was created.' : 'No batch was created.',
      ...waiting,
    ]
  const batch = await readBatch(context, number)
  const written = await writeFiles(batch, { folder, origin: originOf(context.config) })
  await auditCommand(context, {
    action: 'payouts.export',
    subject: String(number),
    details: { files: written.join(' ') },
  })
  const total = englishMoneyText({ amount: totalOf(batch) })
  return [
    `Batch ${number}: ${batch.lines.length} payouts, ${total}.`,
    ...written.map(
      (file) => `Written to ${file}. It contains account numbers: protect it like cash.`,
    ),
    ...waiting,
  ]
}

async function listWaiting({ sql }: Context): Promise<string[]> {
  const open = await listOpenWithdrawals(sql)
  return open.flatMap(({ id, state, waitsFor }) =>
    state === 'approved' && waitsFor !== null ? [`${id} waits: ${waitsFor}`] : [],
  )
}

async function writeFiles(
  batch: PayoutBatch,
  { folder, origin }: { folder: string; origin: AchOrigin | undefined },
): Promise<string[]> {
  const name = join(folder, `payouts-${String(batch.number).padStart(6, '0')}`)
  const files = [
    [`${name}.csv`, payoutCsv(batch)],
    ...(origin ? [[`${name}.ach`, achFile(await withBankLetters(batch), origin)]] : []),
  ] as [string, string][]
  try {
    for (const [file, content] of files) {
      await writeFile(`${file}.part`, content, { mode: 0o600, flush: true })
      await rename(`${file}.part`, file)
    }
  } catch {
    throw refusal(
      `Batch ${batch.number} was created, but ${folder} cannot be written: export it again ` +
        `with payouts export FOLDER ${batch.number}.`,
    )
  }
  return files.map(([file]) => file)
}

function batchNumber(text = ''): number {
  if (!/^\d{1,9}$/.test(text))
    throw refusal('Give the number of the batch, as shown by payouts list.')
  return Number(text)
}
