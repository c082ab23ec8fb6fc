import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiRequest } from '../../sandbox/kubernetes/kubernetes.ts'
import type { FaultOrder } from '../../sandbox/providers/aws/simulator/aws.ts'
import { startTestSeed, type TestSeed } from './harness.ts'

/**
 * The point in a step at which its process is killed. Each record has its own access key, and AWS is slow for that key.
 */
interface Stage {
  readonly name: string
  readonly when: string
  /** True if the record already exists and is being deleted. */
  readonly deletes?: boolean
  readonly aws?: Pick<FaultOrder, 'action' | 'when'>
  /** Matches the request to the API server that is lost. */
  readonly kubernetes?: (request: ApiRequest) => boolean
}

const stages: readonly Stage[] = [
  {
    name: 'claimed',
    when: 'between the claim with its finalizer and the first status',
    kubernetes: request => request.path.includes('/status'),
  },
  {
    name: 'reading',
    when: 'between the claim and the change in the cloud',
    aws: { action: 'ListHostedZones' },
  },
  {
    name: 'changed',
    when: 'after the change in the cloud, before its answer',
    aws: { action: 'ChangeResourceRecordSets', when: 'after' },
  },
  {
    name: 'unwritten',
    when: 'between the change in the cloud and the status',
    kubernetes: request => request.path.includes('/status') && bodyOf(request).includes('"Succeeded"'),
  },
  {
    name: 'removed',
    when: 'after the deletion in the cloud, before its answer',
    deletes: true,
    aws: { action: 'ChangeResourceRecordSets', when: 'after' },
  },
  {
    name: 'held',
    when: 'between the deletion in the cloud and the end of the finalizer',
    deletes: true,
    kubernetes: request => bodyOf(request).includes('"finalizers"'),
  },
]

const bodyOf = ({ body }: ApiRequest): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body ?? new Uint8Array())

const keyOf = ({ name }: Stage): string => `AKIA${name.toUpperCase()}`

/** Makes the step of a record hang at its stage. The returned function returns true if it does. */
const hold = (seed: TestSeed, { name, aws, kubernetes, ...stage }: Stage): (() => boolean) => {
  if (aws !== undefined) {
    const order: FaultOrder = {
      ...aws,
      accessKeyId: keyOf({ name, ...stage }),
      effect: { kind: 'delay', milliseconds: 60_000 },
    }
    seed.aws.faults.add(order)
    return () => !seed.aws.faults.pending().some(fault => fault.accessKeyId === order.accessKeyId)
  }
  let held = false
  seed.server.faults.add({
    effect: { kind: 'hang' },
    matches: request => {
      const hit =
        request.method === 'PATCH' &&
        request.path.includes(`/dnsrecords/${name}`) &&
        (kubernetes?.(request) ?? false)
      held ||= hit
      return hit
    },
  })
  return () => held
}

/** All steps hang in one process. It is killed, and another one continues. */
let seed: TestSeed
beforeAll(async () => {
  seed = await startTestSeed({
    kinds: ['DNSRecord'],
    // A short claim, since the next step must wait until it expires.
    processes: { TRELLIS_STEP_LIMIT_MS: '1000', TRELLIS_STEP_MARGIN_MS: '500' },
  })
  for (const stage of stages) {
    await seed.createSecret(stage.name, {
      AWS_ACCESS_KEY_ID: keyOf(stage),
      AWS_SECRET_ACCESS_KEY: 'of-a-record-whose-process-dies',
    })
  }
  const leaving = stages.filter(stage => stage.deletes)
  await Promise.all(leaving.map(({ name }) => seed.create(name, { secret: name })))
  await Promise.all(leaving.map(({ name }) => seed.untilReady(name)))
  seed.aws.calls.clear()

  const held = stages.map(stage => hold(seed, stage))
  await Promise.all(
    stages.map(async ({ name, deletes }) => {
      await (deletes ? seed.remove(name) : seed.create(name, { secret: name }))
    }),
  )
  await seed.until('every step to stick', () => (held.every(isHeld => isHeld()) ? true : undefined))
  await seed.processes[0]?.kill()
})
afterAll(() => seed.close())

test.each(stages.filter(stage => !stage.deletes))(
  'a function that is killed $when is repaired by the next step, and the record is created once',
  async stage => {
    const live = await seed.untilReady(stage.name)
    expect(live.metadata.finalizers).toEqual(['extensions.gardener.cloud/dnsrecord'])
    expect(live.status?.lastError).toBeUndefined()
    expect(seed.records()).toContain(`A ${stage.name}.rose.example.com. 120 203.0.113.10`)
    expect(changesWith(keyOf(stage))).toHaveLength(1)
  },
)

test.each(stages.filter(stage => stage.deletes))(
  'a function that is killed $when is repaired by the next step, and the object goes',
  async stage => {
    await seed.untilGone(stage.name)
    expect(seed.records().filter(record => record.includes(` ${stage.name}.`))).toEqual([])
    expect(changesWith(keyOf(stage))).toHaveLength(1)
  },
)

test('the zone contains nothing else, and a second process completed the work', async () => {
  await Promise.all(
    stages.map(async ({ name, deletes }) => {
      await (deletes ? seed.untilGone(name) : seed.untilReady(name))
    }),
  )
  expect(seed.records()).toHaveLength(4)
  expect(seed.processes).toHaveLength(2)
})

/** Returns all requested changes, whatever their response. */
const changesWith = (accessKeyId: string) =>
  seed.aws.calls.of('route53:ChangeResourceRecordSets').filter(call => call.accessKeyId === accessKeyId)
