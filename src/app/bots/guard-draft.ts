import type { Guards } from '#contract/guards.ts'
import {
  checkGuards,
  GUARD_FIELDS,
  type GuardField,
  type TypedGuards,
} from '#core/guards/guard-settings.ts'
import { typedText } from '#core/typed-text.ts'

/** Guards as they are being typed; empty text for no guard. */
export type GuardDraft = Record<GuardField, string> & { stopLossFrom: Guards['stopLossFrom'] }

export const NO_GUARDS: GuardDraft = {
  stopLossPercent: '',
  stopLossFrom: 'invested',
  takeProfitPercent: '',
  dailyLossPercent: '',
  coolDownDays: '',
}

export function draftOf(guards: Guards | null): GuardDraft {
  if (guards === null) return NO_GUARDS
  const text = (value: number | null) => (value === null ? '' : String(value))
  const { stopLossPercent, stopLossFrom, takeProfitPercent, dailyLossPercent, coolDownDays } =
    guards
  return {
    stopLossPercent: text(stopLossPercent),
    stopLossFrom,
    takeProfitPercent: text(takeProfitPercent),
    dailyLossPercent: text(dailyLossPercent),
    coolDownDays: text(coolDownDays),
  }
}

/** The stored draft. Each part is checked, because another build of the app may have stored it. */
export function readGuardDraft(kept: unknown): GuardDraft {
  const parts = (typeof kept === 'object' && kept !== null ? kept : {}) as Record<string, unknown>
  const text = (field: GuardField) => (typeof parts[field] === 'string' ? parts[field] : '')
  return {
    stopLossPercent: text('stopLossPercent'),
    stopLossFrom: parts['stopLossFrom'] === 'best' ? 'best' : 'invested',
    takeProfitPercent: text('takeProfitPercent'),
    dailyLossPercent: text('dailyLossPercent'),
    coolDownDays: text('coolDownDays'),
  }
}

export function typedGuards({ stopLossFrom, ...texts }: GuardDraft) {
  const number = (typed: string) => {
    const text = typedText(typed)
    return text === '' ? null : /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  }
  return {
    stopLossPercent: number(texts.stopLossPercent),
    stopLossFrom,
    takeProfitPercent: number(texts.takeProfitPercent),
    dailyLossPercent: number(texts.dailyLossPercent),
    coolDownDays: number(texts.coolDownDays),
  } satisfies TypedGuards
}

export function guardChecks(draft: GuardDraft): Record<GuardField, () => unknown> {
  const typed = typedGuards(draft)
  const check = (field: GuardField) => [field, () => checkGuards({ [field]: typed[field] })]
  return Object.fromEntries(GUARD_FIELDS.map(check)) as Record<GuardField, () => unknown>
}

/** Whether any of the three guards was typed. A cool-down alone is no guard. */
export function hasTypedGuard({
  stopLossPercent,
  takeProfitPercent,
  dailyLossPercent,
}: GuardDraft): boolean {
  return [stopLossPercent, takeProfitPercent, dailyLossPercent].some((text) => text.trim() !== '')
}

export function sentGuards(draft: GuardDraft) {
  return hasTypedGuard(draft) ? { guards: typedGuards(draft) } : {}
}
