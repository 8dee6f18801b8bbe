import { z } from 'zod'
import { NOTICE_CHANNELS, NOTICE_TOPICS } from '#core/notices/notice.ts'
import { isOneLine, ONE_LINE_SENTENCE } from '#core/one-line.ts'
import { LANGUAGES } from '#words/language.ts'
import { PROBLEMS } from './problem.ts'
import { amountInput, Id, Timestamp, Usd } from './wire.ts'

/** A browser that shows push messages, named as it describes itself. */
const PushDevice = z.strictObject({ id: Id, device: z.string(), createdAt: Timestamp })

export const NoticeSettings = z.strictObject({
  topics: z.array(
    z.strictObject({
      topic: z.enum(NOTICE_TOPICS),
      /** Cannot be switched off. */
      isFixed: z.boolean(),
      inbox: z.boolean(),
      mail: z.boolean(),
      push: z.boolean(),
    }),
  ),
  /** Whether push messages, which a locked screen shows, contain amounts. */
  pushAmounts: z.boolean(),
  /** The trading loss from which on the user wants a notice. */
  lossLimit: Usd.nullable(),
  /** With which browsers subscribe to push messages. */
  pushKey: z.string(),
  devices: z.array(PushDevice),
})
export type NoticeSettings = z.infer<typeof NoticeSettings>

/** Changes what is given. */
export const UpdateNoticeSettingsRequest = z.strictObject({
  choice: z
    .strictObject({
      topic: z.enum(NOTICE_TOPICS),
      channel: z.enum(NOTICE_CHANNELS),
      isOn: z.boolean(),
    })
    .optional(),
  pushAmounts: z.boolean().optional(),
  /** Null: no limit. */
  lossLimit: amountInput(PROBLEMS['loss-limit-invalid'].message).nullish(),
})
export type UpdateNoticeSettingsRequest = z.input<typeof UpdateNoticeSettingsRequest>

/** A browser's push subscription, as the browser made it. */
export const AddPushDeviceRequest = z.strictObject({
  endpoint: z.string().max(2_000).refine(isOneLine, ONE_LINE_SENTENCE),
  p256dh: z
    .string()
    .max(200)
    .regex(/^[\w-]+={0,2}$/, PROBLEMS['push-invalid'].message),
  auth: z
    .string()
    .max(100)
    .regex(/^[\w-]+={0,2}$/, PROBLEMS['push-invalid'].message),
})

/** The messages that a paper book without a mail server keeps for this user. */
export const Mailbox = z.strictObject({
  messages: z.array(
    z.strictObject({
      id: Id,
      to: z.string(),
      subject: z.string(),
      text: z.string(),
      language: z.enum(LANGUAGES),
      sentAt: Timestamp,
    }),
  ),
})
export type Mailbox = z.infer<typeof Mailbox>
