import { useId } from 'react'
import type { Bot } from '#contract/bots.ts'
import { say, t } from '#words/words.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { OFFLINE_REASON } from '#app/ui/buttons/offline-reason.tsx'
import { useOnline } from '#app/ui/device/use-online.ts'
import { SIMULATION_NOTE, SimulationSheet, useSimulation } from './simulation-sheet.tsx'

export function SimulateButton({ bot }: { bot: Bot }) {
  const simulation = useSimulation(bot)
  const online = useOnline()
  const note = useId()
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3">
      <Button
        look="quiet"
        className="-ml-2"
        aria-label={t('Simulate trade with {bot}', { bot: bot.name })}
        disabled={!online}
        aria-describedby={online ? note : OFFLINE_REASON}
        onClick={simulation.run}
      >
        {t('Simulate trade')}
      </Button>
      <p id={note} className="text-14 text-ink2">
        {say(SIMULATION_NOTE)}
      </p>
      <SimulationSheet {...simulation} />
    </div>
  )
}
