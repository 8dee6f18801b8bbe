import { z } from 'zod'
import {
  NOTICE_CHANNELS,
  NOTICE_KINDS,
  NOTICE_TOPICS,
  type NoticeKind,
} from '#core/notices/notice.ts'
import { isOneLine, ONE_LINE_SENTENCE } from '#core/one-line.ts'
import { LANGUAGES } from '#words/language.ts'
import type { CallRows } from './call-row.ts'
import { PROBLEMS } from './problem.ts'
import { amountInput, atMost, Id, pageOf, Timestamp, TypedText, Usd, CursorQuery } from './wire.ts'

const KINDS = Object.keys(NOTICE_KINDS) as [NoticeKind, ...NoticeKind[]]

/** `src/words/notice-text.ts` words a notice in the reader's language. */
export const Notice = z.strictObject({
  id: Id,
  kind: z.enum(KINDS),
  details: z.record(z.string(), z.string()),
  createdAt: Timestamp,
  isRead: z.boolean(),
})
export type Notice = z.infer<typeof Notice>

export const NoticePage = pageOf(Notice)

export const ReadNoticesRequest = z.strictObject({ id: Id.optional() })

export const NoticesRead = z.strictObject({ read: z.int().nonnegative() })

/** `device`: from the browser's own description. */
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
  /** Whether push messages contain amounts, which a locked screen would show. */
  pushAmounts: z.boolean(),
  /** Trading loss at which the user is notified. */
  lossLimit: Usd.nullable(),
  /** The key that browsers need to subscribe; null if this installation sends no push messages. */
  pushKey: z.string().nullable(),
  devices: z.array(PushDevice),
})
export type NoticeSettings = z.infer<typeof NoticeSettings>

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

const PushKey = z.string().regex(/^[\w-]+={0,2}$/, PROBLEMS['push-invalid'].message)

/** A push subscription as the browser created it. */
export const AddPushDeviceRequest = z.strictObject({
  endpoint: z.string().max(2_000).refine(isOneLine, ONE_LINE_SENTENCE),
  p256dh: PushKey.max(200),
  auth: PushKey.max(100),
})

/** Messages of a paper book without a mail server. */
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

const Webhook = z.strictObject({
  id: Id,
  address: z.string(),
  topics: z.array(z.enum(NOTICE_TOPICS)),
  createdAt: Timestamp,
  failingSince: Timestamp.nullable(),
  /** False once it failed for days, or its receiver answered 410. */
  isOn: z.boolean(),
})

/** `answer`: the last HTTP status, null if there was none. `nextAt`: the next attempt. */
const WebhookMessage = z.strictObject({
  id: Id,
  webhookId: Id,
  kind: z.enum(KINDS),
  state: z.enum(['waiting', 'sent', 'given-up']),
  attempts: z.int().nonnegative(),
  answer: z.int().nullable(),
  createdAt: Timestamp,
  nextAt: Timestamp.nullable(),
})

/** `messages`: the last 50. `secret`: a new secret, contained in this answer alone. */
export const Webhooks = z.strictObject({
  webhooks: z.array(Webhook),
  messages: z.array(WebhookMessage),
  secret: z.string().optional(),
})
export type Webhooks = z.infer<typeof Webhooks>

export const WebhookRequest = z.strictObject({
  address: atMost(500, TypedText).refine(isOneLine, ONE_LINE_SENTENCE),
  topics: z.array(z.enum(NOTICE_TOPICS)).min(1, PROBLEMS.required.message).max(20),
})

export const UpdateWebhookRequest = WebhookRequest.extend({ newSecret: z.boolean() })

export const noticeCalls = {
  getNoticeSettings: {
    summary: 'Which notices you get, and where',
    access: 'user',
    response: NoticeSettings,
  },
  updateNoticeSettings: {
    summary: 'Choose a notice, or set the limit of losses',
    access: 'user',
    body: UpdateNoticeSettingsRequest,
    response: NoticeSettings,
    problems: ['notice-fixed', 'loss-limit-invalid'],
  },
  addPushDevice: {
    summary: 'Send push messages to a browser',
    access: 'user',
    body: AddPushDeviceRequest,
    response: NoticeSettings,
    status: 201,
    problems: ['push-invalid', 'too-many-push-devices'],
  },
  removePushDevice: {
    summary: 'Send no more push messages to a browser',
    access: 'user',
    response: NoticeSettings,
  },
  getMailbox: {
    summary: 'Messages of a paper book without a mail server',
    access: 'user',
    response: Mailbox,
    problems: ['not-found'],
  },
  listWebhooks: {
    summary: 'Your webhooks, and the last messages to them',
    access: 'user',
    response: Webhooks,
  },
  addWebhook: {
    summary: 'Send notices to an address, signed with the secret of the answer',
    access: 'user',
    proof: 'always',
    body: WebhookRequest,
    response: Webhooks,
    status: 201,
    problems: ['webhook-address-invalid', 'too-many-webhooks'],
  },
  updateWebhook: {
    summary: 'Change a webhook or its secret, and switch it on',
    access: 'user',
    proof: 'always',
    body: UpdateWebhookRequest,
    response: Webhooks,
    problems: ['webhook-address-invalid'],
  },
  removeWebhook: {
    summary: 'Send nothing more to a webhook',
    access: 'user',
    proof: 'always',
    response: Webhooks,
  },
  resendWebhook: {
    summary: 'Send a message to its webhook again, under the same id',
    access: 'user',
    response: Webhooks,
  },
  listNotices: {
    summary: 'Your notices, newest first',
    access: 'user',
    query: CursorQuery,
    response: NoticePage,
    problems: ['cursor-invalid'],
  },
  readNotices: {
    summary: 'Mark one notice or all as read',
    access: 'user',
    body: ReadNoticesRequest,
    response: NoticesRead,
  },
} satisfies CallRows
