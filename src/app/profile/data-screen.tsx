import { plainRoutes } from '#contract/routes.ts'
import { t } from '#words/words.ts'
import { showFailureAs } from '#app/api/failure-toast.ts'
import { ProofOutlet } from '#app/proofs/proof-outlet.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { DownloadLink } from '#app/ui/buttons/download-link.tsx'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { ClosePart } from './close-part.tsx'
import { useClosing, useExport } from './data-queries.ts'

/** A copy of everything that is kept about the user, and the end of the account. */
export function DataScreen() {
  const closing = useClosing()
  return (
    <>
      <PageHeader screen="myData" backTo="/profile" />
      <ExportPart />
      <Section title={t('Close your account')}>
        {closing.isError && (
          <LoadProblem
            message={t('Unable to load what is still open')}
            onRetry={() => void closing.refetch()}
          />
        )}
        {closing.isPending && <Skeleton className="h-40 w-full" />}
        {closing.data && !closing.isError && <ClosePart closing={closing.data} />}
      </Section>
      <ProofOutlet />
    </>
  )
}

function ExportPart() {
  const copy = useExport()
  return (
    <Section title={t('A copy of your data')}>
      <p className="pb-4 text-16 text-ink2">
        {t(
          'One file (JSON) with all that we keep about you: your profile, devices, bank accounts, money, bots, trades, notices and the record of what was done. Passwords and keys are not in it.',
        )}
      </p>
      <div className="grid gap-3">
        <ActionButton
          look="outline"
          pending={copy.isPending}
          pendingLabel={t('Preparing...')}
          onClick={() =>
            copy.mutate(undefined, {
              onError: (error) =>
                showFailureAs(error, {
                  title: t('Copy not made'),
                  description: t('Please try again.'),
                }),
            })
          }
        >
          {t('Download my data')}
        </ActionButton>
      </div>
      <div className="flex flex-wrap gap-x-6 pt-2">
        <DownloadLink href={plainRoutes.statement}>{t('Statement (CSV)')}</DownloadLink>
        <DownloadLink href={plainRoutes.trades}>{t('Download trades (CSV)')}</DownloadLink>
      </div>
    </Section>
  )
}
