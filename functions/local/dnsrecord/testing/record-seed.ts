import {
  createNameServer,
  type NameServerCall,
} from '../../../../sandbox/providers/local/name-server/name-server.ts'
import type { VirtualClock } from '../../../../shared/clock/clock.ts'
import type { DNSRecord } from '../../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { functionSeed } from '../../../testing/function-seed.ts'
import type { LocalConnection } from '../../provider/local.ts'
import { definition } from '../function.ts'
import { inMemory } from '../name-server/name-server.ts'

const namespace = 'shoot--foo--bar'

/** A record as gardenlet has just written it. */
export const recordOf = (spec: Partial<DNSRecord['spec']> = {}): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'DNSRecord',
  metadata: { name: 'api', namespace, annotations: { 'gardener.cloud/operation': 'reconcile' } },
  spec: {
    type: 'local',
    secretRef: { name: 'credentials', namespace },
    name: 'api.bar.local.gardener.cloud',
    recordType: 'A',
    values: ['192.0.2.1', '192.0.2.2'],
    ...spec,
  },
})

export const clusterOf = (shoot: object = {}, name = namespace): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Cluster',
  metadata: { name },
  spec: { cloudProfile: {}, seed: {}, shoot },
})

export interface RecordSeedOptions {
  readonly object?: KubernetesObject
  readonly objects?: readonly KubernetesObject[]
  readonly settings?: Readonly<Record<string, unknown>>
  readonly clock?: VirtualClock
}

/** A seed with a record and no Secret, and the name server of its zone. */
export const recordSeed = async ({
  object = recordOf(),
  objects = [clusterOf()],
  ...options
}: RecordSeedOptions = {}) => {
  const server = createNameServer({ zone: 'local.gardener.cloud' })
  const calls: NameServerCall[] = []
  server.onCall(call => calls.push(call))
  const connection: LocalConnection = { nameServer: inMemory(server.answer) }
  const seed = await functionSeed({
    definition,
    object,
    objects,
    connection,
    waits: 'advance',
    ...options,
  })
  return {
    ...seed,
    server,
    status: async () => Object((await seed.live())?.status),
    records: () => server.records().map(({ name, ttl, type, data }) => `${name} ${ttl} ${type} ${data}`),
    /** The messages since the last call: `QUERY NOERROR`. */
    messages: () => calls.splice(0).map(({ opcode, rcode }) => `${opcode} ${rcode}`),
    /** The update messages since the last call, in the format of recordings. */
    updates: () =>
      calls
        .splice(0)
        .filter(({ opcode }) => opcode === 'UPDATE')
        .map(({ question, updates }) => ({
          opcode: 5,
          zone: [{ name: `${question.name}.`, type: question.type, class: 'IN' }],
          prerequisites: [],
          updates: updates.map(({ name, data, ...record }) => ({
            name: `${name}.`,
            ...record,
            ...(data !== undefined && { data }),
          })),
        })),
  }
}
