import { useState } from 'react'
import type { Evidence } from '#contract/evidence.ts'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import { groupDigits } from '#words/figures.ts'
import { riskTitle } from '#words/names.ts'
import { t } from '#words/words.ts'
import { utcDayText } from '#app/ui/device/dates.ts'
import { Tabs } from '#app/ui/frame/tabs.tsx'
import { ComparisonTable } from './comparison-table.tsx'
import { EvidenceMethod } from './evidence-method.tsx'
import { EvidenceProofs } from './evidence-proofs.tsx'
import { GuardResults } from './guard-results.tsx'
import { HoldoutResults } from './holdout-results.tsx'
import { HypotheticalMark } from './hypothetical-mark.tsx'
import { LevelFigures } from './level-figures.tsx'
import { MonthlyResults } from './monthly-results.tsx'

export function EvidenceFiguresView({
  evidence: { figures, feedLabel, disclaimer, note, source },
}: {
  evidence: Extract<Evidence, { state: 'figures' }>
}) {
  const [chosen, setChosen] = useState<RiskLevel>('moderate')
  const options = RISK_LEVELS.map((value) => ({ value, text: riskTitle(value) }))
  const level = figures.levels.find(({ riskLevel }) => riskLevel === chosen)
  const count = groupDigits(String(figures.windows), { minimum: 0, maximum: 0 })
  return (
    <div className="pb-4">
      <div className="flex flex-wrap items-center justify-between gap-2 px-5">
        <HypotheticalMark />
        <span className="text-14 text-ink2">{feedLabel}</span>
      </div>
      {note !== null && (
        <p className="max-w-page px-5 pt-3 text-14 text-pretty text-ink2">{note}</p>
      )}
      <p className="max-w-page px-5 pt-4 text-17 text-pretty text-ink2">
        {t(
          'We ran one bot from each of {count} start dates, the first on {day}, for 12 months. Here is how they ended, after all costs and our fee.',
          { count, day: utcDayText(figures.from) },
        )}
      </p>
      <div className="lg:grid lg:grid-cols-[3fr_2fr] lg:items-start lg:gap-x-4">
        <div className="min-w-0 lg:pb-8">
          <div className="px-3 pt-4">
            <Tabs
              label={t('Risk level')}
              options={options}
              value={chosen}
              onChange={setChosen}
              panelId="evidence-level"
            />
          </div>
          <div id="evidence-level" role="tabpanel" aria-label={riskTitle(chosen)} tabIndex={0}>
            {level && <LevelFigures level={level} figures={figures} />}
          </div>
          <HoldoutResults figures={figures} />
          <GuardResults />
        </div>
        <div className="min-w-0 lg:*:first:pt-4">
          <ComparisonTable figures={figures} />
          <MonthlyResults figures={figures} />
          <EvidenceProofs />
          <EvidenceMethod figures={figures} source={source} />
          <p className="px-5 pt-6 text-14 text-pretty text-ink2">{disclaimer}</p>
        </div>
      </div>
    </div>
  )
}
