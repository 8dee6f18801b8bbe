import { useState } from 'react'
import type { Evidence } from '#contract/evidence.ts'
import { groupDigits } from '#core/money/text.ts'
import { RISK_LEVELS, riskTitle, type RiskLevel } from '#core/strategy/risk-level.ts'
import { utcDayText } from '#app/ui/device/dates.ts'
import { Tabs } from '#app/ui/frame/tabs.tsx'
import { ComparisonTable } from './comparison-table.tsx'
import { EvidenceMethod } from './evidence-method.tsx'
import { HypotheticalMark } from './hypothetical-mark.tsx'
import { LevelFigures } from './level-figures.tsx'

const LEVELS = RISK_LEVELS.map((level) => ({ value: level, text: riskTitle(level) }))

type Props = { evidence: Extract<Evidence, { state: 'figures' }> }

export function EvidenceFiguresView({ evidence: { figures, feedLabel, disclaimer } }: Props) {
  const [chosen, setChosen] = useState<RiskLevel>('moderate')
  const level = figures.levels.find(({ riskLevel }) => riskLevel === chosen)
  const count = groupDigits(String(figures.windows), { minimum: 0, maximum: 0 })
  return (
    <div className="pb-4">
      <div className="flex flex-wrap items-center justify-between gap-2 px-5">
        <HypotheticalMark />
        <span className="text-14 text-ink2">{feedLabel}</span>
      </div>
      <p className="max-w-page px-5 pt-4 text-17 text-pretty text-ink2">
        We ran one bot from each of {count} start dates, the first on {utcDayText(figures.from)}, for 12 months. Here is how they ended, after all
        costs and our fee.
      </p>
      <div className="lg:grid lg:grid-cols-[3fr_2fr] lg:items-start lg:gap-x-4">
        <div className="min-w-0 lg:sticky lg:top-4">
          <div className="px-3 pt-4">
            <Tabs label="Risk level" options={LEVELS} value={chosen} onChange={setChosen} panelId="evidence-level" />
          </div>
          <div id="evidence-level" role="tabpanel" aria-label={LEVELS.find(({ value }) => value === chosen)?.text} tabIndex={0}>
            {level && <LevelFigures level={level} figures={figures} />}
          </div>
        </div>
        <div className="min-w-0 lg:*:first:pt-4">
          <ComparisonTable figures={figures} />
          <EvidenceMethod figures={figures} />
          <p className="px-5 pt-6 text-14 text-pretty text-ink2">{disclaimer}</p>
        </div>
      </div>
    </div>
  )
}
