import { describe, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import { workerCases } from '../beside/beside.ts'
import { recordedObjectOf } from '../recorded/recorded.ts'
import { recordedWorker } from '../recorded/workers.ts'

const now = Date.parse('2027-01-01T00:00:00Z')

/** Objects in the state that the Go extension leaves. */
const single: readonly (readonly [KindName, string])[] = [
  ['DNSRecord', 'dnsrecord/a'],
  ['DNSRecord', 'dnsrecord/cname-elb-alias'],
  ['Infrastructure', 'infrastructure/n1'],
  ['Infrastructure', 'infrastructure/n3-s3'],
  ['BackupBucket', 'backupbucket/plain'],
  ['Bastion', 'bastion/bastion'],
]

const withAnnotations = (object: KubernetesObject, more: Readonly<Record<string, string>>) => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...more } },
})

const expectAlone = (kind: KindName, object: KubernetesObject) => {
  expect(dueWork(kind, object, now)).toEqual({ kind: 'none' })
  // Both use the same finalizer: neither adds a second one, and the extension that deletes the object removes it.
  expect(object.metadata.finalizers).toEqual([kinds[kind].finalizer()])
  const asked = withAnnotations(object, {
    [annotations.operation]: 'reconcile',
    [annotations.timestamp]: '2026-12-31T23:59:59.000000001Z',
  })
  expect(dueWork(kind, asked, now)).toMatchObject({ kind: 'emit', operation: 'reconcile' })
}

describe('an object of the Go extension', () => {
  for (const [kind, name] of single) {
    test(`of the kind ${kind} (${name}) gets no event without a request`, () =>
      expectAlone(kind, recordedObjectOf(name) as KubernetesObject))
  }

  test('of the kind Worker gets no event without a request', () => {
    for (const name of workerCases) {
      const [step] = recordedWorker(name).steps
      const { worker } = step?.result ?? {}
      if (worker?.status?.lastOperation?.state !== 'Succeeded' || name === 'migrate') continue
      const timed = JSON.parse(JSON.stringify(worker).replaceAll('<time>', '2026-01-10T11:00:00Z'))
      expectAlone('Worker', timed)
    }
  })

  test('with an operation in progress gets an event at once, as after a restart', () => {
    const object = recordedObjectOf('infrastructure/n1') as KubernetesObject & {
      readonly status: { readonly lastOperation: object }
    }
    const { status, ...rest } = object
    const { lastOperation } = status
    const broken = {
      ...rest,
      status: { ...status, lastOperation: { ...lastOperation, state: 'Processing' } },
    }
    expect(dueWork('Infrastructure', broken, now)).toMatchObject({ kind: 'emit', operation: 'reconcile' })
  })
})

describe('an object of Trellis with later changes by the Go extension', () => {
  const step = (fields: object) => ({
    [annotations.step]: JSON.stringify({ operation: 'reconcile', attempt: 0, event: 'e', ...fields }),
  })

  const until = '2026-11-21T00:00:00.000Z'
  const left = (phase: string) =>
    withAnnotations(
      recordedObjectOf('dnsrecord/a') as KubernetesObject,
      step({ phase, until, durationMs: 1_000, generation: 1 }),
    )

  test('gets no event if a step had a claim or had finished', () => {
    expect(dueWork('DNSRecord', left('claimed'), now)).toEqual({ kind: 'none' })
  })

  test('gets an event at once if a step waited to continue', () => {
    expect(dueWork('DNSRecord', left('waiting'), now)).toMatchObject({
      operation: 'reconcile',
      reason: 'due',
    })
  })
})
