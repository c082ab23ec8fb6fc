import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../../../shared/clock/clock.ts'
import { annotations, apiVersion, labels } from '../../../../shared/contract/constants.ts'
import { kinds } from '../../../../shared/contract/kinds.ts'
import {
  createReflector,
  type Kubernetes,
  type KubernetesObject,
} from '../../../../shared/kubernetes/kubernetes.ts'
import { createLog } from '../../../../shared/log/log.ts'

const namespace = 'shoot--life--rose'
const secret = 'dns'
const { resource } = kinds.DNSRecord

/** The objects of a shoot before gardenlet creates its DNSRecords. */
export const shootObjects: readonly KubernetesObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: { [labels.role]: 'shoot' } } },
  {
    apiVersion,
    kind: 'Cluster',
    metadata: { name: namespace },
    spec: { cloudProfile: {}, seed: {}, shoot: { status: { lastOperation: { state: 'Processing' } } } },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secret, namespace },
    data: { accessKeyID: btoa('AKIALIFE000000000000'), secretAccessKey: btoa('made-up') },
  },
]

/** Creates, changes and deletes DNSRecords as gardenlet does, and observes them. */
export interface Records {
  /** Resolves with the time from the request to the written `Succeeded`, in ms. */
  create(name: string, value: string): Promise<number>
  /** The same for a changed value. */
  change(name: string, value: string): Promise<number>
  remove(name: string): Promise<number>
  /** The states that `lastOperation` of a record had, oldest first. */
  states(name: string): readonly string[]
  close(): Promise<void>
}

interface LastOperation {
  readonly type: string
  readonly state: string
  readonly lastUpdateTime?: string
}

interface Known {
  readonly states: string[]
  object: KubernetesObject | undefined
}

/** The longest wait for one record. A lost event is repeated after 90 s. */
const patienceMs = 300_000

export const startRecords = async (kubernetes: Kubernetes): Promise<Records> => {
  const stopped = new AbortController()
  const known = new Map<string, Known>()
  const waiting = new Map<string, (record: Known) => void>()
  const knownOf = (name: string): Known => {
    const found = known.get(name) ?? { states: [], object: undefined }
    known.set(name, found)
    return found
  }
  const observe = (name: string, object: KubernetesObject | undefined) => {
    const record = knownOf(name)
    record.object = object
    const { state } = lastOperationOf(object)
    if (object === undefined) record.states.push('deleted')
    else if (state !== undefined && record.states.at(-1) !== state) record.states.push(state)
    waiting.get(name)?.(record)
  }
  const watch = createReflector({
    kubernetes,
    resource,
    namespace,
    clock: systemClock,
    log: createLog({ level: 'silent', name: 'records' }),
    handler: {
      upsert: object => observe(object.metadata.name, object),
      deleted: ({ name }) => observe(name, undefined),
    },
  }).run(stopped.signal)

  const until = async (name: string, isDone: (record: Known) => boolean, ask: () => Promise<unknown>) => {
    const began = performance.now()
    const over = new AbortController()
    const done = new Promise<number>((resolve, reject) => {
      waiting.set(name, record => {
        if (isDone(record)) resolve(performance.now() - began)
      })
      sleep(patienceMs, undefined, { signal: over.signal }).then(
        () =>
          reject(
            new Error(
              `${name} is not done: ${knownOf(name).states} ${JSON.stringify(known.get(name)?.object)}`,
            ),
          ),
        () => {},
      )
    })
    try {
      await Promise.all([done, ask()])
      return await done
    } finally {
      over.abort()
      waiting.delete(name)
    }
  }
  const hasSucceeded = ({ object }: Known) =>
    lastOperationOf(object).state === 'Succeeded' &&
    observedOf(object) === object?.metadata.generation &&
    object?.metadata.annotations?.[annotations.operation] === undefined
  return {
    create: (name, value) =>
      until(name, hasSucceeded, () => kubernetes.create(resource, recordOf(name, value))),
    change: (name, value) => {
      const generation = (knownOf(name).object?.metadata.generation ?? 0) as number
      return until(
        name,
        record => hasSucceeded(record) && Number(record.object?.metadata.generation) > generation,
        () =>
          kubernetes.patch(
            resource,
            { name, namespace },
            { metadata: { annotations: asked() }, spec: { values: [value] } },
          ),
      )
    },
    remove: name =>
      until(
        name,
        ({ object }) => object === undefined,
        async () => {
          const key = { name, namespace }
          await kubernetes.patch(resource, key, {
            metadata: { annotations: { [annotations.deletionConfirmation]: 'true' } },
          })
          await kubernetes.delete(resource, key)
        },
      ),
    states: name => knownOf(name).states,
    close: async () => {
      stopped.abort()
      await watch
    },
  }
}

const lastOperationOf = (object: KubernetesObject | undefined): Partial<LastOperation> =>
  (object?.status as { readonly lastOperation?: LastOperation } | undefined)?.lastOperation ?? {}

const observedOf = (object: KubernetesObject | undefined): unknown =>
  (object?.status as { readonly observedGeneration?: number } | undefined)?.observedGeneration

const asked = () => ({
  [annotations.operation]: 'reconcile',
  [annotations.timestamp]: new Date().toISOString(),
})

const recordOf = (name: string, value: string): KubernetesObject => ({
  apiVersion,
  kind: 'DNSRecord',
  metadata: { name, namespace, annotations: asked() },
  spec: {
    type: 'aws-route53',
    secretRef: { name: secret, namespace },
    name: `${name}.example.com`,
    recordType: 'A',
    values: [value],
  },
})
