import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../clock/clock.ts'
import type { ExtensionEvent } from '../../events/events.ts'
import { type StepReport, stepReportSchema } from '../../journal/journal.ts'
import { secrets } from '../../kubernetes/core-resources.ts'
import { ConnectionError, type Kubernetes, KubernetesError } from '../../kubernetes/kubernetes.ts'
import type { StepOutcome } from '../../lifecycle/lifecycle.ts'
import type { CloudRequest } from '../definition/definition.ts'
import { recordSteps } from './record-steps.ts'

const records = {
  group: 'extensions.gardener.cloud',
  version: 'v1alpha1',
  plural: 'dnsrecords',
  namespaced: true,
}
const key = { namespace: 'shoot--a--b', name: 'external' }
const planted = 'planted/secret+"value"'

const event = {
  id: 'e-1',
  kind: 'DNSRecord',
  ...key,
  operation: 'reconcile',
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
} as ExtensionEvent
const succeeded: StepOutcome = { kind: 'recorded', how: 'succeeded' }

const object = { apiVersion: 'v1', kind: 'DNSRecord', metadata: key }
const server: Kubernetes = {
  get: async resource =>
    resource.plural === 'secrets'
      ? { ...object, kind: 'Secret', data: { key: Buffer.from(planted).toString('base64') } }
      : undefined,
  list: async () => ({ items: [], resourceVersion: '1' }),
  watch: async function* () {},
  create: async (_, given) => given,
  replace: async () => {
    throw new KubernetesError(409, 'Conflict', 'changed')
  },
  patch: async () => object,
  apply: async (_, given) => given,
  delete: async () => {
    throw new ConnectionError('reset', { cause: { code: 'ECONNRESET' }, sent: true })
  },
}

const setUp = () => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00.000Z'))
  const reports: StepReport[] = []
  const recorder = recordSteps('aws-dnsrecord', clock, report => reports.push(report))
  return { clock, reports, recorder, kubernetes: recorder.kubernetes(server) }
}
const request = (fields: Partial<CloudRequest> = {}): CloudRequest => ({
  ...{ service: 'ec2', operation: 'CreateVpc', status: '200', throttled: false, durationMs: 3.12 },
  ...fields,
})

test('a step is reported with its calls', async () => {
  const { clock, reports, recorder, kubernetes } = setUp()
  await recorder.run(event, async () => {
    await kubernetes.get(records, key)
    await clock.advance(10)
    await kubernetes.patch(records, key, {}, { subresource: 'status' })
    await clock.advance(5)
    recorder.request(request({ args: { CidrBlock: '10.0.0.0/8' }, requestId: 'r-1', write: true }))
    recorder.request(request({ status: '400', error: 'DependencyViolation', write: true }))
    await kubernetes.replace(records, { ...object, metadata: key }).catch(() => undefined)
    await kubernetes.delete(records, key).catch(() => undefined)
    await kubernetes.list(records, { namespace: 'shoot--a--b' })
    return succeeded
  })
  const target = 'shoot--a--b/external'
  expect(reports).toEqual([
    {
      event: 'e-1',
      traceparent: event.traceparent,
      function: 'aws-dnsrecord',
      object: 'DNSRecord shoot--a--b/external',
      operation: 'reconcile',
      began: '2026-11-21T12:00:00.000Z',
      ms: 15,
      outcome: 'succeeded',
      calls: [
        { to: 'kubernetes', name: 'GET dnsrecords', target, after: 0, ms: 0, status: '404' },
        {
          to: 'kubernetes',
          name: 'PATCH dnsrecords/status',
          target,
          after: 10,
          ms: 0,
          status: '200',
          write: true,
        },
        {
          ...{ to: 'cloud', name: 'ec2 CreateVpc', args: '{"CidrBlock":"10.0.0.0/8"}', requestId: 'r-1' },
          ...{ after: 12, ms: 3.1, status: '200', write: true },
        },
        {
          ...{ to: 'cloud', name: 'ec2 CreateVpc', error: 'DependencyViolation' },
          ...{ after: 12, ms: 3.1, status: '400', write: true },
        },
        {
          ...{ to: 'kubernetes', name: 'PUT dnsrecords', target, error: 'Conflict' },
          ...{ after: 15, ms: 0, status: '409', write: true },
        },
        {
          ...{ to: 'kubernetes', name: 'DELETE dnsrecords', target, error: 'ECONNRESET' },
          ...{ after: 15, ms: 0, status: 'none', write: true },
        },
        { to: 'kubernetes', name: 'LIST dnsrecords', target: 'shoot--a--b', after: 15, ms: 0, status: '200' },
      ],
    },
  ])
  expect(stepReportSchema.safeParse(reports[0]).success).toBe(true)
})

test('steps at the same time have their own calls, also if they wait in between', async () => {
  const { reports, recorder, kubernetes } = setUp()
  const step = (id: string) =>
    recorder.run({ ...event, id }, async () => {
      for (let round = 0; round < 3; round++) {
        await new Promise(resolve => setImmediate(resolve))
        await kubernetes.get(records, { name: id })
        await Promise.resolve()
        recorder.request(request({ args: { id } }))
      }
      return succeeded
    })
  await Promise.all(['a', 'b', 'c'].map(step))
  for (const { event: id, calls } of reports) {
    expect(calls).toHaveLength(6)
    expect(new Set(calls.map(({ target, args }) => target ?? args))).toEqual(new Set([id, `{"id":"${id}"}`]))
  }
})

test('calls outside of a step, and after its end, are in no report', async () => {
  const { reports, recorder, kubernetes } = setUp()
  await kubernetes.get(records, key)
  recorder.request(request())
  const late = Promise.withResolvers<void>()
  let after: Promise<void> | undefined
  await recorder.run(event, async () => {
    after = late.promise.then(() => recorder.request(request()))
    return succeeded
  })
  late.resolve()
  await after
  expect(reports.map(({ calls }) => calls)).toEqual([[]])
})

test('an outcome that could not be recorded has its reason', async () => {
  const { reports, recorder } = setUp()
  await recorder.run(event, async () => ({ kind: 'unrecorded', reason: 'no answer'.repeat(1_000) }))
  expect(reports[0]).toMatchObject({ outcome: 'unrecorded', reason: expect.stringMatching(/^no answer/) })
  expect(reports[0]?.reason).toHaveLength(1_000)
})

test('a step that failed has the reason, without values of Secrets', async () => {
  const { reports, recorder, kubernetes } = setUp()
  await recorder.run(event, async onFailure => {
    await kubernetes.get(secrets, key)
    onFailure(`ERR_INFRA_UNAUTHORIZED: bad key ${planted}`)
    return { kind: 'recorded', how: 'failed' }
  })
  expect(reports[0]).toMatchObject({
    outcome: 'failed',
    reason: 'ERR_INFRA_UNAUTHORIZED: bad key [redacted]',
  })
})

test('a receiver that throws does not fail the step', async () => {
  const clock = virtualClock(0)
  const recorder = recordSteps('f', clock, () => {
    throw new Error('no')
  })
  expect(await recorder.run(event, async () => succeeded)).toEqual(succeeded)
})

describe('secrets', () => {
  test.each([
    ['an argument', { args: { Name: planted } }],
    ['a part of an argument', { args: { Url: `https://x/?k=${encodeURIComponent(planted)}` } }],
    ['JSON in an argument', { args: { PolicyDocument: JSON.stringify({ key: planted }) } }],
    ['base64 in an argument', { args: { Tag: Buffer.from(planted).toString('base64') } }],
    ['an argument that is cut inside of it', { args: { Pad: 'x'.repeat(495), Name: planted } }],
    ['an error', { error: `bad ${planted}` }],
    ['a request id', { requestId: planted }],
  ])('a value of a Secret that the step read is not in %s', async (_, fields) => {
    const { reports, recorder, kubernetes } = setUp()
    await recorder.run(event, async () => {
      recorder.request(request(fields))
      await kubernetes.get(secrets, key)
      return { kind: 'unrecorded', reason: `why: ${planted}` }
    })
    const text = JSON.stringify(reports)
    for (const part of [
      'planted',
      encodeURIComponent(planted).slice(0, 12),
      Buffer.from(planted).toString('base64').slice(0, 12),
    ])
      expect(text).not.toContain(part)
    expect(text).toContain('[redacted]')
  })

  test('a value that the step wrote into a Secret is not in its report', async () => {
    const { reports, recorder, kubernetes } = setUp()
    await recorder.run(event, async () => {
      await kubernetes.apply(
        secrets,
        { ...object, kind: 'Secret', stringData: { a: planted } },
        { fieldManager: 'f' },
      )
      recorder.request(request({ args: { Name: planted } }))
      return succeeded
    })
    expect(JSON.stringify(reports)).not.toContain('planted')
  })
})

describe('a report is bounded', () => {
  test('more than 200 calls are counted, and failures and writes stay', async () => {
    const { reports, recorder } = setUp()
    await recorder.run(event, async () => {
      for (let index = 0; index < 300; index++) recorder.request(request({ operation: `Read${index}` }))
      recorder.request(request({ operation: 'CreateVpc', write: true }))
      recorder.request(request({ operation: 'DescribeVpcs', error: 'Throttling' }))
      return succeeded
    })
    expect(reports[0]?.calls).toHaveLength(200)
    expect(reports[0]?.lost).toBe(102)
    expect(reports[0]?.calls.slice(-2).map(({ name }) => name)).toEqual(['ec2 CreateVpc', 'ec2 DescribeVpcs'])
  })

  test.each(['x', '"', '\u0001', '\u{1d11e}'])(
    'with arguments of many %j, it has at most 64 KiB',
    async character => {
      const { reports, recorder } = setUp()
      await recorder.run(event, async () => {
        for (let index = 0; index < 300; index++)
          recorder.request(
            request({ args: { a: character.repeat(5_000) }, write: true, error: character.repeat(500) }),
          )
        return succeeded
      })
      expect(JSON.stringify(reports[0]).length).toBeLessThanOrEqual(64 * 1024)
      expect(reports[0]?.calls.length).toBeGreaterThan(0)
      expect(reports[0]?.lost).toBeGreaterThan(0)
    },
  )
})
