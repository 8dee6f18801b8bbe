import {
  isFixed,
  isOnByDefault,
  NOTICE_TOPICS,
  type NoticeChannel,
  type NoticeTopic,
} from '#core/notices/notice.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import type { NoticeSettings } from '#contract/notices.ts'
import { deviceOf } from '#words/device.ts'
import type { Handler } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import type { Queries } from '#server/db/statement.ts'
import { findChoices, findSettings, type Choice, findSubscriptions } from './store.ts'

export const getNoticeSettings: Handler<'getNoticeSettings'> = async (context, { userId }) =>
  readNoticeSettings(context, context.sql, userId)

/** The user's choices, with our defaults. */
export async function readNoticeSettings(
  { push }: Pick<Context, 'push'>,
  sql: Queries,
  userId: string,
): Promise<NoticeSettings> {
  const [choices, settings, devices] = [
    await findChoices(sql, userId),
    await findSettings(sql, userId),
    await findSubscriptions(sql, userId),
  ]
  return {
    topics: NOTICE_TOPICS.map((topic) => showTopic(topic, choices)),
    pushAmounts: settings.pushAmounts,
    lossLimit: settings.lossLimit === null ? null : unitsToDecimal(settings.lossLimit, 2),
    pushKey: push.publicKey,
    devices: devices.map(({ id, userAgent, createdAt }) => ({
      id,
      device: deviceOf(userAgent),
      createdAt: createdAt.toISOString(),
    })),
  }
}

function showTopic(
  topic: NoticeTopic,
  choices: readonly Choice[],
): NoticeSettings['topics'][number] {
  const isOn = (channel: NoticeChannel) => {
    const chosen = choices.find((choice) => choice.topic === topic && choice.channel === channel)
    return isFixed(topic) || (chosen?.isOn ?? isOnByDefault(topic, channel))
  }
  return {
    topic,
    isFixed: isFixed(topic),
    inbox: isOn('inbox'),
    mail: isOn('mail'),
    push: isOn('push'),
  }
}
