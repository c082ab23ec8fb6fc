import { expect, test } from 'vitest'
import { virtualClock } from '../../clock/clock.ts'
import { KubernetesError } from '../../kubernetes/kubernetes.ts'
import { noKubernetes } from '../testing/no-kubernetes.ts'
import { runStep } from './run-step.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const backend = {
  kind: 'DNSRecord',
  types: ['aws-route53'],
  classes: ['shoot'],
  actuator: {
    reconcile: () => Promise.reject(new Error('never')),
    remove: () => Promise.reject(new Error('never')),
  },
} as const
const event = { id: 'e', name: 'a', namespace: 'b', operation: 'reconcile', reason: 'annotation' } as const

test.each<[status: number, message: string, advice: RegExp]>([
  [
    403,
    'dnsrecords.extensions.gardener.cloud "a" is forbidden: User "system:serviceaccount:trellis:aws-dnsrecord" cannot get resource "dnsrecords"',
    /apply the ClusterRole/,
  ],
  [401, 'Unauthorized', /restart the pod/],
])('a step that the API server refuses with %i gives advice', async (status, message, advice) => {
  const kubernetes = {
    ...noKubernetes,
    get: () => Promise.reject(new KubernetesError(status, 'Refused', message)),
  }
  const deps = { kubernetes, clock: virtualClock(0), log: silent, backend }
  const outcome = await runStep(deps as never, event as never, new AbortController().signal)
  expect(outcome).toEqual({ kind: 'unrecorded', reason: message, advice: expect.stringMatching(advice) })
})
