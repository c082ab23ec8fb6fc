import type { Clock } from '../../../shared/clock/clock.ts'
import { formatSeconds } from '../../../shared/clock/clock.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type FakeKubernetes, fakeKubernetes } from '../../testing/fake-kubernetes.ts'
import { createHistory, type History } from './history.ts'

const { resource } = kinds.DNSRecord
/** The objects that all steps wait for. */
export const awaitedThings: GroupVersionResource = {
  group: 'example.com',
  version: 'v1',
  plural: 'things',
  namespaced: true,
}
/** Belongs to no shoot, so nothing holds its objects. */
const namespace = 'garden'

/** The objects of a run, and their writers. */
export interface SimulatedSeed {
  readonly kubernetes: FakeKubernetes
  readonly history: History
  /** The last request that a step has answered, by object: its timestamp annotation. */
  readonly answered: Map<string, string>
  read(name: string): KubernetesObject | undefined
  /** Writes as a function; `undefined` removes an annotation. */
  write(
    object: KubernetesObject,
    notes: Readonly<Record<string, string | undefined>>,
    status?: object,
  ): KubernetesObject
  remove(name: string): void
  /** Acts as gardenlet: requests a reconciliation, and creates the object if it does not exist. */
  ask(name: string): void
  delete(name: string): void
  /** Changes the awaited objects as their controller does. */
  changeAwaited(name: string, to: 'settled' | 'unsettled' | 'gone'): void
  /** Writes an irrelevant change. */
  touch(name: string): void
}

export const createSimulatedSeed = (clock: Clock): SimulatedSeed => {
  const kubernetes = fakeKubernetes()
  const history = createHistory()
  let asked = 0
  const read = (name: string) => kubernetes.read(resource, { name, namespace })

  const put = (object: KubernetesObject) => {
    const stored = kubernetes.put(resource, object)
    history.note(stored, clock.now())
    return stored
  }

  const annotated = (
    object: KubernetesObject,
    notes: Readonly<Record<string, string | undefined>>,
  ): KubernetesObject => {
    const merged = Object.entries({ ...object.metadata.annotations, ...notes })
    const kept = merged.filter((entry): entry is [string, string] => entry[1] !== undefined)
    return { ...object, metadata: { ...object.metadata, annotations: Object.fromEntries(kept) } }
  }

  return {
    kubernetes,
    history,
    answered: new Map(),
    read,
    write: (object, notes, status) =>
      put({ ...annotated(object, notes), ...(status === undefined ? {} : { status }) }),
    remove: name => {
      history.gone(read(name)?.metadata.uid ?? '', clock.now())
      kubernetes.remove(resource, { name, namespace })
    },
    ask: name => {
      const timestamp = `2026-11-21T12:00:00.${String(++asked).padStart(9, '0')}Z`
      const object = read(name) ?? {
        apiVersion: 'extensions.gardener.cloud/v1alpha1',
        kind: 'DNSRecord',
        metadata: { name, namespace, finalizers: ['extensions.gardener.cloud/dnsrecord'] },
        spec: { type: 'test' },
      }
      const notes = { [annotations.operation]: 'reconcile', [annotations.timestamp]: timestamp }
      put(annotated(object, notes))
    },
    delete: name => {
      const object = read(name)
      if (object === undefined || object.metadata.deletionTimestamp !== undefined) return
      const deletionTimestamp = formatSeconds(clock.now())
      put({ ...object, metadata: { ...object.metadata, deletionTimestamp } })
    },
    changeAwaited: (name, to) => {
      const metadata = { name, namespace }
      if (to === 'gone') return kubernetes.remove(awaitedThings, metadata)
      const generation = ++asked
      const object = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { ...metadata, generation } }
      kubernetes.put(awaitedThings, { ...object, spec: to })
    },
    touch: name => {
      const object = read(name)
      if (object !== undefined) put(annotated(object, { note: String(clock.now()) }))
    },
  }
}
