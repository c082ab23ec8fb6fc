import { buildEvent, type ExtensionEvent } from '../../events/events.ts'
import { parsePrograms } from '../programs.ts'

/** A program of two functions, and one of another function. */
export const programs = parsePrograms(
  JSON.stringify([
    {
      name: 'acme-compact',
      memory: '128Mi',
      functions: [
        { name: 'acme-dnsrecord', kind: 'DNSRecord', types: ['acme-dns'], concurrency: 2 },
        { name: 'acme-worker', kind: 'Worker', types: ['acme'], concurrency: 0 },
      ],
    },
    { name: 'other', functions: [{ name: 'other', kind: 'Network', types: ['other'] }] },
  ]),
)

const typeOf: Readonly<Record<string, string>> = { DNSRecord: 'acme-dns', Worker: 'acme', Network: 'other' }

/** Returns the event of a new object. */
export const eventOf = (uid: string, kind = 'DNSRecord', generation = 1): ExtensionEvent =>
  buildEvent({
    object: {
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind,
      metadata: { name: uid, namespace: 'shoot--foo--bar', uid, generation },
      spec: { type: typeOf[kind] },
    },
    ...{ kind, operation: 'reconcile', cause: 'created', reason: 'created', attempt: 0 },
    ...{ source: '/seeds/test', now: 0 },
  })
