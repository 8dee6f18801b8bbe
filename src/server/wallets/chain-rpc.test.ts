import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import {
  concatHex,
  createPublicClient,
  getContractAddress,
  hashMessage,
  http,
  parseSignature,
  serializeErc6492Signature,
  signatureToCompactSignature,
  type Hex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAnvil, type Anvil } from '../../../test/chain/anvil.ts'
import { contractWalletCode } from '../../../test/chain/contract-wallet.ts'
import { freePort } from '../../../test/process/running-server.ts'
import type { Chain } from '#server/ports/chain.ts'
import { rpcChain } from './chain-rpc.ts'
import { canonicalAddress } from './signature.ts'

let anvil: Anvil
let chain: Chain
const key = privateKeyToAccount(generatePrivateKey())
const message = 'an ownership message'

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 137 })
  chain = rpcChain({ 137: anvil.url })
})
afterAll(() => anvil.stop())

let contracts = 0

async function deploy(code: string): Promise<string> {
  contracts += 1
  const address = canonicalAddress(`0x${contracts.toString(16).padStart(40, 'c')}`)
  await anvil.send('anvil_setCode', [address, code])
  return address ?? ''
}

/**
 * Answers `word` to `isValidSignature(hash, …)` for this hash alone: if calldata[4..36] == hash
 * return word, else 32 zero bytes.
 */
function contractFor({
  hash,
  word = `1626ba7e${'00'.repeat(28)}`,
}: {
  hash: string
  word?: string
}): string {
  const push32 = (text: string) => `7f${text.replace('0x', '')}`
  // push4 selector, calldataload(0) >> 224, eq; push32 hash, calldataload(4), eq; and; the jump
  // over the answer 0 to the answer word.
  const check = `631626ba7e60003560e01c14${push32(hash)}6004351416`
  const jump = (check.length / 2 + 9).toString(16).padStart(2, '0')
  return `0x${check}60${jump}5760206000f3005b${push32(word)}60005260206000f3`
}

const signatureOf = (bytes: number) => `0x${'ab'.repeat(bytes)}`

test('the signature of a key is verified without a request to a node', async () => {
  const signature = await key.signMessage({ message })
  const offline = rpcChain({})
  expect(
    await offline.verifySignature({ address: key.address, message, signature, chainId: 1 }),
  ).toBe(true)
  expect(
    await offline.verifySignature({
      address: key.address,
      message: `${message}!`,
      signature,
      chainId: 1,
    }),
  ).toBe(false)
  const other = privateKeyToAccount(generatePrivateKey()).address
  expect(await offline.verifySignature({ address: other, message, signature, chainId: 1 })).toBe(
    false,
  )
})

test('signatures whose v counts from 0 are accepted; other v and lengths are refused', async () => {
  const signature = await key.signMessage({ message })
  const v = signature.endsWith('1b') ? 0 : 1
  const verify = (text: string) =>
    rpcChain({}).verifySignature({ address: key.address, message, signature: text, chainId: 1 })
  expect(await verify(`${signature.slice(0, -2)}0${v}`)).toBe(true)
  const numbers = signature.slice(0, -2)
  expect(await verify(`${numbers}${(27 + 1 - v).toString(16)}`)).toBe(false)
  for (const wrong of [`${numbers}25`, `${signature}00`, numbers.slice(0, -2), '0x00'])
    await expect(verify(wrong)).rejects.toMatchObject({
      code: 'wallet-signature-invalid',
      sentence:
        "We can't check contract wallets on this network. Choose another network or wallet.",
    })
})

describe('compact signatures', () => {
  /** The test vectors of EIP-2098. */
  const vector = privateKeyToAccount(`0x${'1234567890'.repeat(6)}1234`)
  test.each([
    [
      'Hello World',
      '68a020a209d3d56c46f38cc50a33f704f4a9a10a59377f8dd762ac66910e9b90' +
        '7e865ad05c4035ab5792787d4a0297a43617ae897930a6fe4d822b8faea52064',
    ],
    [
      "It's a small(er) world",
      '9328da16089fcba9bececa81663203989f2df5fe1faa6291a45381c81bd17f76' +
        '939c6d6b623b42da56557e5e734a43dc83345ddfadec52cbe24d0cc64f550793',
    ],
  ])('the vector "%s"', async (text, digits) => {
    const verify = (compact: string) =>
      rpcChain({}).verifySignature({
        address: vector.address,
        message: text,
        signature: `0x${compact}`,
        chainId: 1,
      })
    const first = (Number.parseInt(digits.charAt(64), 16) ^ 8).toString(16)
    const otherParity = `${digits.slice(0, 64)}${first}${digits.slice(65)}`
    expect(await verify(digits)).toBe(true)
    expect(await verify(otherParity)).toBe(false)
  })

  test("signatures of viem with random keys are accepted, another key's refused", async () => {
    for (let n = 0; n < 20; n += 1) {
      const account = privateKeyToAccount(generatePrivateKey())
      const full = await account.signMessage({ message })
      const { r, yParityAndS } = signatureToCompactSignature(parseSignature(full))
      const signed = { message, signature: concatHex([r, yParityAndS]), chainId: 1 }
      const verify = (address: string) => rpcChain({}).verifySignature({ ...signed, address })
      expect(await Promise.all([account.address, key.address].map(verify))).toEqual([true, false])
    }
  })
})

test("a contract that accepts this message's signature owns the wallet (EIP-1271)", async () => {
  const address = await deploy(contractFor({ hash: hashMessage(message) }))
  expect(
    await chain.verifySignature({ address, message, signature: signatureOf(65), chainId: 137 }),
  ).toBe(true)
  expect(
    await chain.verifySignature({ address, message, signature: signatureOf(400), chainId: 137 }),
  ).toBe(true)
  expect(
    await chain.verifySignature({
      address,
      message: `${message}!`,
      signature: signatureOf(65),
      chainId: 137,
    }),
  ).toBe(false)
})

test.each([
  [
    'answers another word',
    contractFor({ hash: hashMessage(message), word: `ffffffff${'00'.repeat(28)}` }),
  ],
  [
    'answers 1, as for true',
    contractFor({ hash: hashMessage(message), word: `${'00'.repeat(31)}01` }),
  ],
  ['reverts', '0x60006000fd'],
  ['answers nothing', '0x00'],
  ['answers four bytes', '0x631626ba7e6000526004601cf3'],
  ['burns all its gas', '0x5b600056'],
])('a contract that %s does not accept', async (_what, code) => {
  const address = await deploy(code)
  expect(
    await chain.verifySignature({ address, message, signature: signatureOf(65), chainId: 137 }),
  ).toBe(false)
})

/**
 * A factory that exists on every test chain; it deploys code at an address determined by the code.
 */
const FACTORY = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const SALT: Hex = `0x${'5a'.repeat(32)}`

/** A wallet with this code that is not deployed, and a signature wrapped for it. */
async function undeployed({ code, signer = key }: { code: string; signer?: typeof key }) {
  const length = ((code.length - 2) / 2).toString(16).padStart(4, '0')
  const creation: Hex = `0x61${length}80600c6000396000f3${code.slice(2)}`
  const address = getContractAddress({
    opcode: 'CREATE2',
    from: FACTORY,
    salt: SALT,
    bytecode: creation,
  })
  const signature = await signer.signMessage({ message })
  const data = concatHex([SALT, creation])
  return {
    address,
    signature,
    data,
    wrapped: serializeErc6492Signature({ address: FACTORY, data, signature }),
  }
}

describe('a wallet that is deployed when it is first used (ERC-6492)', () => {
  const owned = contractWalletCode(key.address)
  const other = privateKeyToAccount(generatePrivateKey())
  const ours = (address: string, signature: string, text = message) =>
    chain.verifySignature({ address, message: text, signature, chainId: 137 })
  const viems = (address: Hex, signature: Hex, text = message) =>
    createPublicClient({ transport: http(anvil.url) }).verifyMessage({
      address,
      message: text,
      signature,
    })

  test('its owner’s signature is accepted, as viem does, and nothing is deployed', async () => {
    const { address, wrapped } = await undeployed({ code: owned })
    expect([await ours(address, wrapped), await viems(address, wrapped)]).toEqual([true, true])
    expect(await anvil.send('eth_getCode', [address, 'latest'])).toBe('0x')
  })

  test('another key, text or address is refused, as viem does', async () => {
    const { address, wrapped } = await undeployed({ code: owned })
    const { wrapped: forged } = await undeployed({ code: owned, signer: other })
    const attempts: [Hex, Hex, string][] = [
      [address, forged, message],
      [address, wrapped, `${message}!`],
      [other.address, wrapped, message],
    ]
    for (const attempt of attempts)
      expect([await ours(...attempt), await viems(...attempt)]).toEqual([false, false])
  })

  test('once it is deployed, its signature is accepted wrapped and plain', async () => {
    const code = contractWalletCode(other.address)
    const { address, signature, wrapped } = await undeployed({ code, signer: other })
    await anvil.send('anvil_setCode', [address, code])
    expect([await ours(address, wrapped), await viems(address, wrapped)]).toEqual([true, true])
    expect(await ours(address, signature)).toBe(true)
  })

  test.each([
    ['reverts with the word', `0x7f1626ba7e${'00'.repeat(28)}60005260206000fd`],
    ['answers nothing', '0x00'],
    ['answers four bytes', '0x631626ba7e6000526004601cf3'],
  ])('one that %s is refused', async (_what, code) => {
    const { address, wrapped } = await undeployed({ code })
    expect(await ours(address, wrapped)).toBe(false)
  })

  test('a factory that deploys nothing and malformed wrappings are refused', async () => {
    const { address, signature, wrapped } = await undeployed({ code: owned })
    const ending = '6492'.repeat(16)
    const broken = [
      serializeErc6492Signature({ address: FACTORY, data: '0x', signature }),
      serializeErc6492Signature({ address: other.address, data: SALT, signature }),
      `0x${ending}`,
      `0x${'00'.repeat(96)}${ending}`,
      `0x${'ff'.repeat(96)}${ending}`,
      `${wrapped.slice(0, 66)}${'f'.repeat(64)}${wrapped.slice(130)}`,
    ]
    for (const one of broken)
      expect([one.length, await ours(address, one)]).toEqual([one.length, false])
  })
})

describe('errors of nodes for a call that fails', () => {
  test.each([
    // Sources: the issue trackers of go-ethereum, Nethermind, Erigon and the Hedera relay.
    { error: { code: 3, message: 'execution reverted', data: '0x' }, isRefused: true },
    { error: { code: 3, message: 'execution reverted: revert' }, isRefused: true },
    { error: { code: -32_000, message: 'execution reverted' }, isRefused: true },
    { error: { code: -32_000, message: 'out of gas' }, isRefused: true },
    { error: { code: -32_000, message: 'invalid opcode: INVALID' }, isRefused: true },
    { error: { code: -32_003, message: 'stack underflow' }, isRefused: true },
    { error: { code: -32_015, message: 'VM execution error.', data: 'revert' }, isRefused: true },
    {
      error: { code: -32_008, message: 'execution reverted: CONTRACT_REVERT_EXECUTED' },
      status: 400,
      isRefused: true,
    },
    { error: { code: -32_000, message: 'header not found' }, isRefused: false },
    { error: { code: -32_005, message: 'daily request count exceeded' }, isRefused: false },
    { error: { code: -32_601, message: 'the method eth_call does not exist' }, isRefused: false },
    { error: { code: -32_603, message: 'Internal error' }, status: 500, isRefused: false },
  ])('$error.code $error.message', async ({ error, status = 200, isRefused }) => {
    const results: Record<string, string> = { eth_chainId: '0x89', eth_getCode: '0x60' }
    const node = await listen(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      const result = results[JSON.parse(body).method]
      response.writeHead(result ? 200 : status, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ jsonrpc: '2.0', id: 1, result, error: result ? undefined : error }),
      )
    })
    const verified = rpcChain({ 137: node.url }).verifySignature({
      address: key.address,
      message,
      signature: signatureOf(65),
      chainId: 137,
    })
    if (isRefused) expect(await verified).toBe(false)
    else await expect(verified).rejects.toMatchObject({ code: 'chain-unavailable' })
    node.server.closeAllConnections()
    node.server.close()
  })
})

test('a name and a password in the URL become a header of Basic authentication', async () => {
  const seen: (string | undefined)[] = []
  const node = await listen((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(401).end()
  })
  const url = node.url.replace('//', '//ada:p%40ss@')
  const balance = rpcChain({ 137: url }).balanceOf({ address: key.address, chainId: 137 })
  await expect(balance).rejects.toMatchObject({ code: 'chain-unavailable' })
  expect(seen[0]).toBe(`Basic ${Buffer.from('ada:p@ss').toString('base64')}`)
  node.server.closeAllConnections()
  node.server.close()
})

test('an address has the checksum of EIP-55', () => {
  for (let n = 0; n < 20; n += 1) {
    const { address } = privateKeyToAccount(generatePrivateKey())
    expect(canonicalAddress(address.toLowerCase())).toBe(address)
    expect(canonicalAddress(address)).toBe(address)
    const swapped = address.replace(/[a-f]/i, (digit) =>
      digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase(),
    )
    for (const wrong of [swapped, address.replace('0x', '0X'), `${address}0`, address.slice(2), ''])
      expect([wrong, canonicalAddress(wrong)]).toEqual([wrong, undefined])
  }
})

test('at an address without a contract, a signature of another key proves nothing', async () => {
  expect(
    await chain.verifySignature({
      address: key.address,
      message,
      signature: signatureOf(65),
      chainId: 137,
    }),
  ).toBe(false)
})

test('contracts are checked only if access to their chain is configured', async () => {
  const address = await deploy(contractFor({ hash: hashMessage(message) }))
  const verify = (signature: string) =>
    chain.verifySignature({ address, message, signature, chainId: 1 })
  expect(await verify(await key.signMessage({ message }))).toBe(false)
  for (const length of [65, 400])
    await expect(verify(signatureOf(length))).rejects.toMatchObject({
      code: 'wallet-signature-invalid',
    })
})

test('a balance is read from the chain', async () => {
  await anvil.send('anvil_setBalance', [key.address, '0x112210f4768db3ff'])
  expect(await chain.balanceOf({ address: key.address, chainId: 137 })).toBe(0x112210f4768db3ffn)
  await expect(chain.balanceOf({ address: key.address, chainId: 1 })).rejects.toMatchObject({
    code: 'chain-unconfigured',
  })
})

test('a node of another chain than configured is refused', async () => {
  const mixedUp = rpcChain({ 1: anvil.url })
  await expect(mixedUp.balanceOf({ address: key.address, chainId: 1 })).rejects.toMatchObject({
    code: 'chain-unavailable',
    sentence: expect.stringContaining('serves chain 137'),
  })
})

test('a chain that is down, silent or returns nonsense is refused within seconds', async () => {
  const nonsense = await listen((_request, response) => response.writeHead(500).end('no'))
  const silent = await listen(() => undefined)
  const patient = await listen((_request, response) =>
    response.writeHead(429, { 'retry-after': '3600' }).end(),
  )
  const urls = [`http://127.0.0.1:${await freePort()}`, nonsense.url, silent.url, patient.url]
  const refusals = await Promise.allSettled(
    urls.map((url) => rpcChain({ 137: url }).balanceOf({ address: key.address, chainId: 137 })),
  )
  for (const refusal of refusals)
    expect(refusal).toMatchObject({ reason: { code: 'chain-unavailable' } })
  for (const { server } of [nonsense, silent, patient]) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(
  answer: Parameters<typeof createServer>[1],
): Promise<{ server: Server; url: string }> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    server,
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
  }
}
