import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** The model's response to a question: a complete answer, or a failure. */
export type Manner =
  | { says: string | readonly string[] | ((question: string) => string) }
  /** Sends this and then nothing, until the caller disconnects. */
  | { hangsAfter: string }
  /** Sends this and drops the connection. */
  | { cutsAfter: string }
  /** Sends this and stops at its token limit. */
  | { tooLongAfter: string }
  | { status: number }
  | { garbage: string }

/** A question as the model received it; `whole` is the request body. */
export type Asked = { instructions: string; question: string; whole: string }

export type LanguageModel = {
  /** The value for AI_BASE_URL. */
  url: string
  asked: readonly Asked[]
  behave: (manner: Manner) => void
  /** Number of callers that disconnected before the answer was complete. */
  left: () => number
  close: () => Promise<void>
}

export const MODEL = 'emulated-model'
export const API_KEY = 'a-key-of-the-tests'

/**
 * A local HTTP endpoint of a language model with the streaming API of OpenAI (chat completions) or
 * Anthropic (messages). It refuses requests with a wrong path, key, model or body.
 */
export async function startLanguageModel(
  dialect: 'openai' | 'anthropic' = 'openai',
): Promise<LanguageModel> {
  const asked: Asked[] = []
  let manner: Manner = { says: '' }
  let left = 0
  const speak = DIALECTS[dialect]
  const server = createServer(async (request, response) => {
    response.once('close', () => (left += response.writableFinished ? 0 : 1))
    const whole = await bodyOf(request)
    const refusal = speak.refuses(request, whole)
    if (refusal !== undefined) return refuse(response, refusal)
    const { instructions, question } = speak.read(JSON.parse(whole))
    asked.push({ instructions, question, whole })
    return answer(response, { manner, question, speak })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    behave: (next) => (manner = next),
    left: () => left,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(
  response: ServerResponse,
  { manner, question, speak }: { manner: Manner; question: string; speak: Dialect },
): Promise<void> {
  if ('status' in manner)
    return refuse(response, { status: manner.status, message: 'the model is overloaded' })
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if ('garbage' in manner) return void response.end(manner.garbage)
  response.write(speak.begin)
  const [text, end] =
    'says' in manner
      ? [manner.says, speak.end('stop')]
      : [Object.values(manner)[0] ?? '', 'tooLongAfter' in manner ? speak.end('length') : '']
  const said = typeof text === 'function' ? text(question) : text
  for (const piece of typeof said === 'string' ? piecesOf(said) : said)
    response.write(speak.piece(piece))
  if ('hangsAfter' in manner) return
  // The caller receives the written text before the connection drops.
  if ('cutsAfter' in manner) return void delay(20).then(() => response.destroy())
  response.end(end)
}

/** Pieces that ignore word boundaries, as models send them. */
const piecesOf = (text: string): string[] => text.match(/[^]{1,7}/g) ?? []

type Refusal = { status: number; message: string }

function refuse(response: ServerResponse, { status, message }: Refusal): void {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ error: { message, type: 'error', code: null } }))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

type Dialect = {
  refuses: (request: IncomingMessage, body: string) => Refusal | undefined
  read: (body: unknown) => { instructions: string; question: string }
  begin: string
  piece: (text: string) => string
  end: (reason: 'stop' | 'length') => string
}

const data = (event: object): string => `data: ${JSON.stringify(event)}\n\n`
const named = (event: { type: string }): string => `event: ${event.type}\n${data(event)}`

type Said = { role: string; content: string | { type: string; text: string }[] }
const textOf = (content: Said['content']): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('')

function refusalOf(
  request: IncomingMessage,
  {
    path,
    key,
    body,
    isComplete,
  }: {
    path: string
    key: boolean
    body: string
    isComplete: (body: Record<string, unknown>) => boolean
  },
): Refusal | undefined {
  if (request.method !== 'POST' || request.url !== path)
    return { status: 404, message: `there is no ${request.url}` }
  if (!key) return { status: 401, message: 'this key is not known' }
  const given: unknown = JSON.parse(body)
  if (typeof given !== 'object' || given === null || !('model' in given) || given.model !== MODEL)
    return { status: 404, message: 'there is no such model' }
  return isComplete({ ...given })
    ? undefined
    : { status: 400, message: 'this is not a request for a streamed answer' }
}

const DIALECTS: Record<'openai' | 'anthropic', Dialect> = {
  openai: {
    refuses: (request, body) =>
      refusalOf(request, {
        path: '/v1/chat/completions',
        key: request.headers.authorization === `Bearer ${API_KEY}`,
        body,
        isComplete: ({ stream, messages, tools }) =>
          stream === true && Array.isArray(messages) && tools === undefined,
      }),
    read: (body) => {
      const { messages } = body as { messages: Said[] }
      const of = (role: string) =>
        messages
          .filter((one) => one.role === role)
          .map(({ content }) => textOf(content))
          .join('\n')
      return { instructions: of('system'), question: of('user') }
    },
    begin: data({
      id: '1',
      object: 'chat.completion.chunk',
      created: 1,
      model: MODEL,
      choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
    }),
    piece: (content) =>
      data({
        id: '1',
        object: 'chat.completion.chunk',
        created: 1,
        model: MODEL,
        choices: [{ index: 0, delta: { content }, finish_reason: null }],
      }),
    end: (reason) =>
      `${data({
        id: '1',
        object: 'chat.completion.chunk',
        created: 1,
        model: MODEL,
        choices: [{ index: 0, delta: {}, finish_reason: reason }],
      })}data: [DONE]\n\n`,
  },
  anthropic: {
    refuses: (request, body) =>
      refusalOf(request, {
        path: '/v1/messages',
        key:
          request.headers['x-api-key'] === API_KEY &&
          request.headers['anthropic-version'] !== undefined,
        body,
        isComplete: ({ stream, messages, max_tokens: limit, tools }) =>
          stream === true &&
          Array.isArray(messages) &&
          typeof limit === 'number' &&
          tools === undefined,
      }),
    read: (body) => {
      const { system, messages } = body as { system: Said['content']; messages: Said[] }
      return {
        instructions: textOf(system),
        question: messages.map(({ content }) => textOf(content)).join('\n'),
      }
    },
    begin: [
      named({
        type: 'message_start',
        message: {
          id: '1',
          type: 'message',
          role: 'assistant',
          content: [],
          model: MODEL,
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      } as { type: string }),
      named({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'text', text: '' },
      } as { type: string }),
    ].join(''),
    piece: (text) =>
      named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } } as {
        type: string
      }),
    end: (reason) =>
      [
        named({ type: 'content_block_stop', index: 0 } as { type: string }),
        named({
          type: 'message_delta',
          delta: {
            stop_reason: reason === 'stop' ? 'end_turn' : 'max_tokens',
            stop_sequence: null,
          },
          usage: { output_tokens: 2 },
        } as { type: string }),
        named({ type: 'message_stop' }),
      ].join(''),
  },
}
