import { auditCommand } from '#server/security/audit.ts'
import { checkSeals, countSeals, noteWhole, sealNow } from '#server/ledger/guard-seals.ts'
import { SEAL_CHECKS } from '#server/ledger/check-seals.ts'
import { reconcile, CHECKS } from '#server/ledger/reconcile.ts'
import { reportDifferences } from '#server/notices/report-differences.ts'
import type { UnattendedCommand } from './command.ts'

export const reconcileCommand: UnattendedCommand = async (context) => {
  await sealNow(context)
  // Compared with the head that this installation keeps, and noted for the page of health.
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
    return {
      lines: [
        `The book is in order: ${CHECKS.length} checks, and ${await countSeals(context.sql)} ` +
          'seals are whole.',
      ],
      ok: true,
    }
  return {
    lines: differences.map(
      ({ check, subject, finding }) => `DIFFERS  ${check}\n         ${subject}: ${finding}`,
    ),
    ok: false,
  }
}
