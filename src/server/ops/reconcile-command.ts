import { auditCommand } from '#server/security/audit.ts'
import { checkSeals, countSeals, noteWhole, sealNow } from '#server/ledger/guard-seals.ts'
import type { Difference } from '#server/ledger/check-seals.ts'
import { SEAL_CHECKS } from '#server/ledger/check-seals.ts'
import { reconcile, CHECKS } from '#server/ledger/reconcile.ts'
import { reportDifferences } from '#server/notices/report-differences.ts'
import { done, type UnattendedCommand } from './command.ts'

export const reconcileCommand: UnattendedCommand = async (context) => {
  await sealNow(context)
  // Checks the chain against the head that this installation keeps, and shows the result on the
  // health page.
  const chain = (await checkSeals(context, 'quick')).filter(
    ({ check }) => check === SEAL_CHECKS.chain,
  )
  const found = await reconcile(context)
  const differences = [
    ...found,
    ...chain.filter(({ subject }) => !found.some((other) => other.subject === subject)),
  ]
  await auditCommand(context, {
    action: 'reconcile',
    subject: 'book',
    details: { differences: String(differences.length) },
  })
  await reportDifferences(context, differences)
  if (differences.length === 0) await noteWhole(context.sql)
  if (differences.length === 0)
    return done(
      `The book is in order: ${CHECKS.length} checks, and ${await countSeals(context.sql)} ` +
        'seals are whole.',
    )
  return {
    lines: differences.map(differs),
    ok: false,
  }
}

/** One line for the failed check, and one for its finding. */
export const differs = ({ check, subject, finding }: Difference): string =>
  `DIFFERS  ${check}\n         ${subject}: ${finding}`
