import { buildEvent } from '../write-event.ts'

/** The sample event of tests: a small DNSRecord with a due reconcile. */
export const sampleEvent = buildEvent({
  object: {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'DNSRecord',
    metadata: { name: 'api', namespace: 'shoot--foo--bar', uid: 'u-1', generation: 1, resourceVersion: '7' },
    spec: { type: 'aws-route53' },
  },
  kind: 'DNSRecord',
  operation: 'reconcile',
  cause: 'c',
  reason: 'annotation',
  attempt: 0,
  source: '/seeds/s',
  now: 0,
})
