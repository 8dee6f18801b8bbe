import { useState } from 'react'
import type { Evidence, EvidenceFigures } from '#contract/evidence.ts'
import { routes } from '#contract/routes.ts'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import { choiceOf, STRATEGY_KEYS } from '#core/strategy/strategy-key.ts'
import { riskTitle, strategyTitle } from '#words/strategy-names.ts'
import { say, t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { PageHeader } from '#app/shell/page-header.tsx'
import { Button, LinkButton } from '#app/ui/buttons/button.tsx'
import { DownloadLink } from '#app/ui/buttons/download-link.tsx'
import { LoadProblem, Skeleton } from '#app/ui/frame/section.tsx'
import { Tabs } from '#app/ui/frame/tabs.tsx'
import { EvidenceMethod } from './evidence-method.tsx'
import { otherPricesNote } from './evidence-notes.ts'
import { useEvidence } from './evidence-queries.ts'
import { NOT_LOADED, useNamesTargets } from './evidence-text.ts'
import { ComparisonTable, MonthlyResults } from './figure-table.tsx'
import { GuardResults } from './guard-table.tsx'
import { HoldoutResults } from './holdout-results.tsx'
import { LevelFigures } from './level-figures.tsx'
import { checkText, proofFile, proofHref } from './proof-link.tsx'
import { ResultLinks } from './result-links.tsx'

export function EvidenceScreen() {
  const { data, isError, refetch } = useEvidence()
  return (
    <>
      <PageHeader screen="evidence" backTo="/" />
      {isError && (
        <div className="px-5 pt-4">
          <LoadProblem message={say(NOT_LOADED)} onRetry={() => void refetch()} />
        </div>
      )}
      {!data && !isError && <BeingComputed />}
      {data?.state === 'figures' && <EvidenceFiguresView evidence={data} />}
      {data && data.state !== 'figures' && (
        <NoEvidence evidence={data} onRetry={() => void refetch()} />
      )}
      <div className="px-5 py-2">
        <ResultLinks from="/evidence" />
      </div>
    </>
  )
}

function BeingComputed() {
  return (
    <div aria-busy="true" className="px-5 pt-2">
      <p role="status" className="text-17 text-ink2">
        {t('The evidence is being computed: thousands of bots, replayed hour by hour.')}
      </p>
      <Skeleton className="mt-6 h-96 w-full" />
    </div>
  )
}

function NoEvidence({
  evidence,
  onRetry,
}: {
  evidence: Exclude<Evidence, { state: 'figures' }>
  onRetry: () => void
}) {
  const isComputing = evidence.state === 'computing'
  const namesTargets = useNamesTargets()
  const note = useConfig().data?.feed.note
  return (
    <div className="flex max-w-page flex-col gap-5 px-5 pt-4">
      <h2 className="text-28 font-semibold tracking-[-0.01em] text-balance">{evidence.sentence}</h2>
      <p className="text-17 text-pretty text-ink2">
        {isComputing
          ? t(
              'Thousands of bots are being replayed over years of prices. This takes a ' +
                'few seconds.',
            )
          : t(
              'Results on a simulated or very short market say nothing about real coins, ' +
                'so no figures are shown here.',
            )}
        {!isComputing &&
          namesTargets &&
          ' ' +
            t(
              'The returns shown for a risk level are its target, not a promise: ' +
                'you can lose money.',
            )}
      </p>
      {note !== undefined && <p className="text-17 text-pretty text-ink2">{note}</p>}
      {isComputing ? (
        <Button onClick={onRetry}>{t('Refresh')}</Button>
      ) : (
        <>
          <p className="text-17 text-pretty text-ink2">
            {t(
              'On a market with years of real prices, this page shows the past 12-month ' +
                'results after all costs. For each risk level, it gives the median, the ' +
                'worst, the best, and how many lost money.',
            )}
          </p>
          <LinkButton href="/" look="outline">
            {t('Back')}
          </LinkButton>
        </>
      )}
    </div>
  )
}

function EvidenceFiguresView({
  evidence: { figures, feedLabel, disclaimer, note, source },
}: {
  evidence: Extract<Evidence, { state: 'figures' }>
}) {
  return (
    <div className="pb-4">
      <div className="lg:grid lg:grid-cols-[3fr_2fr] lg:items-start lg:gap-x-4">
        <div className="min-w-0 lg:pb-8">
          <Levels
            figures={figures}
            prices={otherPricesNote(note === null ? null : feedLabel) ?? `${feedLabel}.`}
          />
        </div>
        <div className="min-w-0">
          <HoldoutResults figures={figures} />
          <GuardResults />
          <ComparisonTable figures={figures} />
          <MonthlyResults figures={figures} />
          <EvidenceMethod {...{ figures, source, note, disclaimer }}>
            <EvidenceProofs />
          </EvidenceMethod>
        </div>
      </div>
    </div>
  )
}

function Levels({ figures, prices }: { figures: EvidenceFigures; prices: string }) {
  const [chosen, setChosen] = useState<RiskLevel>('moderate')
  const level = figures.levels.find(({ riskLevel }) => riskLevel === chosen)
  return (
    <>
      <div className="px-3">
        <Tabs
          label={t('Risk level')}
          options={RISK_LEVELS.map((value) => ({ value, text: riskTitle(value) }))}
          value={chosen}
          onChange={setChosen}
          panelId="evidence-level"
        />
      </div>
      <div id="evidence-level" role="tabpanel" aria-label={riskTitle(chosen)} tabIndex={0}>
        {level && <LevelFigures level={level} figures={figures} prices={prices} />}
      </div>
    </>
  )
}

function EvidenceProofs() {
  const proofs = STRATEGY_KEYS.map((key) => ({ key, choice: choiceOf(key) }))
  return (
    <div className="pb-3">
      <p className="text-14 text-ink2">{t('Download the proof')}</p>
      <ul className="flex flex-wrap gap-x-5">
        {proofs.map(({ key, choice }) => (
          <li key={key}>
            <DownloadLink
              href={proofHref(routes.getEvidenceBundle.path, { strategy: key })}
              file={proofFile(key)}
            >
              {choice.strategy === 'trend' ? riskTitle(choice.riskLevel) : strategyTitle(choice)}
            </DownloadLink>
          </li>
        ))}
      </ul>
      <p className="text-14 text-pretty wrap-anywhere text-ink2">{checkText()}</p>
    </div>
  )
}
