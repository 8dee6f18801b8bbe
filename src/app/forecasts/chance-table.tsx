import type { SaidChance } from '#contract/forecasts.ts'
import { countText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { Percent } from '#app/ui/money/money.tsx'
import { ScoreTable } from './score-table.tsx'

type Chances = { caption: string; head: string; chances: readonly SaidChance[] }

export function ChanceTable({ caption, head, chances }: Chances) {
  return (
    <ScoreTable
      caption={caption}
      head={head}
      columns={[t('Forecast'), t('Happened')]}
      rows={chances.map((chance) => ({
        name: countText(chance.days),
        cells: [
          <Percent key="said" value={chance.said} sign="never" />,
          <Percent key="happened" value={chance.happenedPercent} sign="never" />,
        ],
      }))}
    />
  )
}
