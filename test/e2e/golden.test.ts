import { afterAll, beforeAll, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import { recordedObjectOf } from '../recorded/recorded.ts'
import { type LiveRecord, startTestSeed, type TestSeed, zoneId } from './harness.ts'
import { namespace, secretName } from './shoot.ts'

/**
 * The only difference from the Go extension, which remembers only `status.zone` and ignores this state
 * (docs/contract/provider-aws.md#hosted-zone).
 */
const zonesInState = {
  state: {
    apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
    kind: 'DNSRecordState',
    zones: [zoneId],
  },
}

/** The same, written out: what stands in a record after it was created and reconciled once more. */
const left = {
  finalizers: ['extensions.gardener.cloud/dnsrecord'],
  annotations: [annotations.timestamp],
  status: {
    conditions: [
      {
        message: 'Record was created successfully in infrastructure at least once',
        reason: 'Success',
        status: 'True',
        type: 'Created',
      },
    ],
    lastOperation: {
      description: 'Successfully reconciled DNSRecord',
      progress: 100,
      state: 'Succeeded',
      type: 'Reconcile',
    },
    observedGeneration: 1,
    zone: zoneId,
    ...zonesInState,
  },
}

const specs = {
  a: { name: 'a.example.com', recordType: 'A', values: ['1.2.3.4'] },
  'cname-elb-alias': {
    name: 'lb.example.com',
    recordType: 'CNAME',
    values: ['a1b2c3-123.eu-west-1.elb.amazonaws.com'],
  },
}
const names = Object.keys(specs) as (keyof typeof specs)[]

let seed: TestSeed
beforeAll(async () => {
  seed = await startTestSeed()
})
afterAll(() => seed.close())

const reconciledTwice = async (name: keyof typeof specs, spec: object): Promise<LiveRecord> => {
  await seed.create(name, spec)
  await seed.untilReady(name)
  await seed.ask(name, 'reconcile')
  const live = await seed.untilReady(name)
  await seed.remove(name)
  await seed.untilGone(name)
  return live
}

test.each(names)('%s ends up with the status, finalizers and annotations of the contract', async name => {
  expect(remains(await reconciledTwice(name, specs[name]))).toEqual(left)
})

test.each(names)('%s ends up as the Go extension leaves it', async name => {
  const recorded = recordedObjectOf(`dnsrecord/${name}`) as LiveRecord
  const live = await reconciledTwice(name, {
    ...recorded.spec,
    secret: secretName,
    secretRef: { name: secretName, namespace },
  })
  expect(remains(live)).toEqual(
    remains({ ...recorded, status: { ...recorded.status, zone: zoneId, ...zonesInState } }),
  )
})

/** The state of an object after a backend, without times, ids and Trellis's own annotation. */
const remains = ({ metadata, status }: LiveRecord) => ({
  finalizers: metadata.finalizers,
  annotations: Object.keys(metadata.annotations ?? {}).filter(key => key !== annotations.step),
  status: JSON.parse(JSON.stringify(status), (key, value) =>
    key === 'lastUpdateTime' || key === 'lastTransitionTime' ? undefined : value,
  ),
})
