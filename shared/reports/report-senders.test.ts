import { expect, test } from 'vitest'
import { virtualClock } from '../clock/clock.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { createReportSenders } from './report-senders.ts'

const account = (name: string, namespace = 'trellis') => ({
  authenticated: true,
  audiences: ['trellis-bridge'],
  user: { username: `system:serviceaccount:${namespace}:${name}` },
})

const setUp = (
  statusOf: (token: string) => unknown,
  namespace: string | undefined = 'trellis',
  shift = () => 0,
) => {
  const clock = virtualClock(10_000_000)
  const asked: string[] = []
  const senders = createReportSenders({
    kubernetes: {
      create: async (_, object) => {
        const { token, audiences } = object.spec as { readonly token: string; readonly audiences: unknown }
        expect(audiences).toEqual(['trellis-bridge'])
        asked.push(token)
        return { ...object, status: await statusOf(token) } as KubernetesObject
      },
    },
    namespace,
    clock: { ...clock, now: () => clock.now() + shift() },
  })
  return { clock, asked, senders, senderOf: (token: string) => senders.senderOf(`Bearer ${token}`) }
}

test('the token of a pod proves the function of its account, and is asked for once in five minutes', async () => {
  const { clock, asked, senderOf } = setUp(() => account('aws-dnsrecord'))
  for (let report = 0; report < 3; report++)
    expect(await senderOf('a.b.c')).toEqual({ kind: 'program', program: 'aws-dnsrecord' })
  expect(asked).toHaveLength(1)
  await clock.advance(300_001)
  await senderOf('a.b.c')
  expect(asked).toHaveLength(2)
})

test.each([
  ['is not valid', { authenticated: false }],
  ['is that of another namespace', account('aws-dnsrecord', 'shoot--a--b')],
  ['is for another audience', { ...account('aws-dnsrecord'), audiences: ['kubernetes'] }],
  ['has no audience', { ...account('aws-dnsrecord'), audiences: undefined }],
  ['is that of a user', { ...account('a'), user: { username: 'kubernetes-admin' } }],
  ['has an answer without a user', { authenticated: true, audiences: ['trellis-bridge'] }],
])('a token is refused if it %s', async (_, status) => {
  const { senderOf, asked } = setUp(() => status)
  expect(await senderOf('a.b.c')).toEqual({ kind: 'refused' })
  expect(await senderOf('a.b.c')).toEqual({ kind: 'refused' })
  expect(asked).toHaveLength(1)
})

test('while the API server cannot be asked, a sender is unknown, and its next report asks again', async () => {
  let isAway = true
  const { senderOf } = setUp(() => {
    if (isAway) throw new Error('away')
    return account('a')
  })
  expect(await senderOf('a.b.c')).toEqual({ kind: 'unknown', why: 'away' })
  isAway = false
  expect(await senderOf('a.b.c')).toEqual({ kind: 'program', program: 'a' })
})

test('invented tokens ask the API server at most five times a second, and displace no known token', async () => {
  const { clock, asked, senderOf } = setUp(token =>
    token === 'good' ? account('a') : { authenticated: false },
  )
  await senderOf('good')
  for (let second = 0; second < 10; second++) {
    await clock.advance(1_000)
    for (let token = 0; token < 1_000; token++) await senderOf(`bad-${second}-${token}`)
  }
  expect(asked.length).toBeLessThanOrEqual(1 + 10 * 5)
  expect(await senderOf('good')).toEqual({ kind: 'program', program: 'a' })
})

test('a clock that is set back neither stops the questions nor lengthens the time of a token', async () => {
  let shift = 0
  const { asked, senderOf } = setUp(
    token => (token.startsWith('a') ? account('a') : { authenticated: false }),
    'trellis',
    () => shift,
  )
  await senderOf('a.b.c')
  for (let token = 0; token < 9; token++) await senderOf(`x.${token}`)
  expect(asked).toHaveLength(5)
  shift = -3_600_000
  expect(await senderOf('a.b.c')).toEqual({ kind: 'program', program: 'a' })
  expect(asked).toHaveLength(6)
  expect(await senderOf('x.9')).toEqual({ kind: 'refused' })
})

test('a program that this process started has a token that only this process accepts', async () => {
  const { senders, asked } = setUp(() => ({ authenticated: false }))
  const token = senders.tokenOf('aws')
  expect(await senders.senderOf(`Bearer ${token}`)).toEqual({ kind: 'program', program: 'aws' })
  const forged = `gcp${token.slice(3)}`
  expect(await senders.senderOf(`Bearer ${forged}`)).toEqual({ kind: 'refused' })
  expect(await setUp(() => ({})).senders.senderOf(`Bearer ${token}`)).toEqual({ kind: 'refused' })
  for (const given of [undefined, '', 'Basic abc', 'Bearer', `Bearer ${'x'.repeat(1_000_000)}`])
    expect(await senders.senderOf(given)).toEqual({ kind: 'refused' })
  expect(asked).toHaveLength(1)
})

test('outside a cluster no token of a pod is accepted', async () => {
  const clock = virtualClock(0)
  const senders = createReportSenders({
    kubernetes: { create: async () => expect.unreachable() },
    namespace: undefined,
    clock,
  })
  expect(await senders.senderOf('Bearer a.b.c')).toEqual({ kind: 'refused' })
})
