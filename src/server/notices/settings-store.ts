import type { NoticeChannel, NoticeTopic } from '#core/notices/notice.ts'
import type { Units } from '#core/money/amount.ts'
import type { Queries } from '#server/db/statement.ts'

export type Choice = { topic: NoticeTopic; channel: NoticeChannel; isOn: boolean }

export async function findChoices(sql: Queries, userId: string): Promise<Choice[]> {
  return sql<
    Choice[]
  >`select topic, channel, is_on from notice_preferences where user_id = ${userId}`
}

export async function setChoice(
  tx: Queries,
  { userId, topic, channel, isOn }: Choice & { userId: string },
): Promise<void> {
  await tx`
    insert into notice_preferences (user_id, topic, channel, is_on)
    values (${userId}, ${topic}, ${channel}, ${isOn})
    on conflict on constraint notice_preferences_pkey do update set is_on = excluded.is_on`
}

export type StoredSettings = { pushAmounts: boolean; lossLimit: Units | null }

export async function findSettings(sql: Queries, userId: string): Promise<StoredSettings> {
  const [row] = await sql<
    StoredSettings[]
  >`select push_amounts, loss_limit from notice_settings where user_id = ${userId}`
  return row ?? { pushAmounts: false, lossLimit: null }
}

export async function setPushAmounts(
  tx: Queries,
  { userId, pushAmounts }: { userId: string; pushAmounts: boolean },
): Promise<void> {
  await tx`
    insert into notice_settings (user_id, push_amounts) values (${userId}, ${pushAmounts})
    on conflict on constraint notice_settings_pkey do update
   set push_amounts = excluded.push_amounts`
}

/** A new limit is watched from the beginning. */
export async function setLossLimit(
  tx: Queries,
  { userId, lossLimit }: { userId: string; lossLimit: Units | null },
): Promise<void> {
  await tx`
    insert into notice_settings (user_id, loss_limit) values (${userId}, ${lossLimit})
    on conflict on constraint notice_settings_pkey do update set loss_limit = excluded.loss_limit,
       loss_reported = false`
}
