import type { PlanPeriod } from '#core/bots/savings-plan.ts'
import { msg, say } from '#words/words.ts'

const TITLES: Record<PlanPeriod, string> = { week: msg('Every week'), month: msg('Every month') }

export function periodTitle(period: PlanPeriod): string {
  return say(TITLES[period])
}
