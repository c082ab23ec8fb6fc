import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bridgeSettings, type RunningBridge, startBridge } from '../../bridge/bridge.ts'
import { createLog } from '../../shared/log/log.ts'
import { parseSettings } from '../../shared/runtime/runtime.ts'
import { startTestSeed, type TestSeed } from './harness.ts'
import { givenAway, stringify } from './planted.ts'
import { accessKey, secretOf } from './shoot.ts'

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const token = (expires: number): string => {
  const claims = { iss: 'https://garden.example.com', aud: 'sts.amazonaws.com', sub: 'planted-subject' }
  const exp = Math.floor(expires / 1000)
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ ...claims, exp })}.planted-signature`
}

const roleARN = 'arn:aws:iam::123456789012:role/dns'
const tokens = {
  good: token(Date.now() + 3_600_000),
  expired: token(Date.now() - 3_600_000),
}

/** Valid Secrets, and Secrets that fail for different reasons. */
const secrets = {
  'works-with-key': { AWS_ACCESS_KEY_ID: 'AKIAWORKS', AWS_SECRET_ACCESS_KEY: 'planted/works+with=a-key' },
  'works-with-token': { token: tokens.good, roleARN, note: 'planted in a key that nobody reads' },
  'fails-wrong-key': { AWS_ACCESS_KEY_ID: 'AKIAWRONG', AWS_SECRET_ACCESS_KEY: 'planted/wrong+secret=key' },
  'fails-denied': { AWS_ACCESS_KEY_ID: 'AKIADENIED', AWS_SECRET_ACCESS_KEY: 'planted/denied+secret=key' },
  'fails-echo': { AWS_ACCESS_KEY_ID: 'AKIAECHO', AWS_SECRET_ACCESS_KEY: 'planted/echoed+by=aws' },
  'fails-expired': { token: tokens.expired, roleARN },
  'fails-line-break': { AWS_ACCESS_KEY_ID: 'AKIABREAK', AWS_SECRET_ACCESS_KEY: 'planted-with-a-break\n' },
  'fails-half': { AWS_SECRET_ACCESS_KEY: 'planted-without-an-id' },
  'fails-config': { token: 'planted-token-of-config', config: 'planted: [config' },
} as const
const names = Object.keys(secrets) as (keyof typeof secrets)[]

const secretKeys: ReadonlySet<string> = new Set(['AWS_SECRET_ACCESS_KEY', 'token', 'note', 'config'])
const planted = [
  accessKey.AWS_SECRET_ACCESS_KEY ?? '',
  'planted-signature',
  ...Object.values(secrets).flatMap(data =>
    Object.entries(data).flatMap(([key, value]) => (secretKeys.has(key) ? [value.trim()] : [])),
  ),
]

let seed: TestSeed
let bridge: RunningBridge
const bridgeLines: string[] = []
const bridgeEvents: unknown[] = []
const metrics: Record<'bridge' | 'function', string> = { bridge: '', function: '' }

beforeAll(async () => {
  seed = await startTestSeed({ kinds: ['Network'], processes: { TRELLIS_LOG_LEVEL: 'debug' } })
  bridge = await startBridge({
    settings: parseSettings(bridgeSettings, {
      flags: {
        seed: 'scanned',
        sink: seed.broker.ingress('trellis', 'default'),
        address: '127.0.0.1',
        port: 0,
        kinds: 'DNSRecord',
        logLevel: 'debug',
      },
      env: {},
    }),
    kubernetes: seed.kubernetes,
    clock: seed.clock,
    log: createLog({
      level: 'debug',
      name: 'bridge',
      destination: { write: line => bridgeLines.push(line) },
    }),
    observe: event => bridgeEvents.push(event),
  })
  const account = seed.aws.account()
  account.register({ accessKeyId: 'AKIAWRONG', secretAccessKey: 'another' })
  account.register({
    accessKeyId: 'AKIADENIED',
    secretAccessKey: secrets['fails-denied'].AWS_SECRET_ACCESS_KEY,
    allow: ['route53:List*'],
  })
  seed.aws.faults.add({
    accessKeyId: 'AKIAECHO',
    times: null,
    effect: {
      kind: 'error',
      code: 'Odd',
      status: 400,
      message: `you signed with ${secrets['fails-echo'].AWS_SECRET_ACCESS_KEY}`,
    },
  })
  for (const name of names) await seed.createSecret(name, secrets[name])
  await Promise.all(names.map(name => seed.create(name, { secret: name })))
  await Promise.all(
    names.map(async name => {
      if (name.startsWith('fails')) return void (await seed.untilError(name))
      await seed.untilReady(name)
      await seed.ask(name, 'reconcile', { values: ['203.0.113.99'] })
      await seed.untilReady(name)
      await seed.remove(name)
      await seed.untilGone(name)
    }),
  )
  await seed.create('plain')
  await seed.untilReady('plain')
  const textAt = async (url: string) => (await fetch(`${url}/metrics`)).text()
  metrics.bridge = await textAt(`http://127.0.0.1:${bridge.port}`)
  metrics.function = await textAt(seed.processes[0]?.url ?? '')
})
afterAll(async () => {
  await bridge.close()
  await seed.close()
})

describe('secret values do not appear in', () => {
  test.each<[string, () => readonly unknown[]]>([
    ['the log and the events of the bridge', () => [...bridgeLines, ...bridgeEvents]],
    ['the log of the function', () => seed.lines],
    ['the events at the broker', () => seed.observed.filter(seen => seen.part === 'broker')],
    [
      'the objects, their statuses and their earlier versions',
      () => seed.observed.filter(seen => seen.part === 'object' && seen.resource !== 'secrets'),
    ],
    ['the log of the calls to AWS', () => seed.aws.calls.all()],
    ['the paths of the requests to the API server', () => seed.server.requests.entries()],
    ['the metrics', () => [metrics.bridge, metrics.function]],
  ])('%s', (_, collected) => {
    const texts = collected().map(stringify)
    expect(texts.length).toBeGreaterThan(0)
    for (const text of texts) expect(givenAway(text, planted), text).toEqual([])
    // Every value begins with this word, so that a partial value is found too.
    expect(texts.filter(text => text.includes('planted'))).toEqual([])
  })
})

test('the searched texts include errors, calls and logs', async () => {
  // Errors were written and shown, calls were made, and lines were logged at the lowest level.
  for (const name of names.filter(entry => entry.startsWith('fails'))) {
    expect(seed.live(name)?.status?.lastError?.description).toMatch(/\w/)
  }
  expect(seed.live('fails-echo')?.status?.lastError?.description).toMatch(
    /you signed with <hidden>|\[redacted\]/,
  )
  expect(seed.lines.length).toBeGreaterThan(20)
  expect(metrics.function).toContain('trellis_function_answers_total')
  expect(metrics.bridge).toContain('trellis_bridge_emitted_total')
})

test('the search finds every value in each of its forms', () => {
  for (const value of planted) {
    expect(givenAway(stringify(secretOf({ key: value })), [value])).toEqual([value])
    for (const prefix of ['', 'a', 'bc', 'def']) {
      const bytes = Buffer.from(`${prefix}${value}!`)
      for (const encoding of ['base64', 'base64url', 'hex', 'utf8'] as const) {
        expect(givenAway(bytes.toString(encoding), [value])).toEqual([value])
      }
    }
    expect(givenAway(`?q=${encodeURIComponent(value)}`, [value])).toEqual([value])
  }
})
