import { machineKinds } from '../../../shared/contract/machine-kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Store } from '../../kubernetes/kubernetes.ts'
import { runningCode } from '../process/running-code.ts'
import type { Problems } from './invariant.ts'

type StoreChange = Parameters<Parameters<Store['subscribe']>[0]>[1]

const resourceOf = ({
  resource,
}: {
  readonly resource: { readonly plural: string; readonly group: string }
}) => `${resource.plural}.${resource.group}`

const machines = resourceOf(machineKinds.Machine)
const machineDeployments = resourceOf(machineKinds.MachineDeployment)
const workers = 'workers.extensions.gardener.cloud'
const controlPlanes = 'controlplanes.extensions.gardener.cloud'
const managedResources = 'managedresources.resources.gardener.cloud'
const clusters = 'clusters.extensions.gardener.cloud'

/** The controllers of a ControlPlane, and the objects in the shoot that they clean up. */
const controllers = 'extension-controlplane-seed'
const cleanedUp: readonly string[] = [
  'extension-controlplane-shoot',
  'extension-controlplane-storageclasses',
  'extension-controlplane-shoot-crds',
]

/**
 * Watches the order of writes for machines and controllers: what a controller needs exists before it starts, and what
 * only it can clean up is gone before it ends. One for all seeds of a world.
 */
export const watchOrder = (problems: Problems) => {
  /** Machines that a migration removed without their virtual machines, and no restore has created since. */
  const handedOver = new Map<string, Set<string>>()
  /** The replicas that Workers wrote. An autoscaler writes others at any time. */
  const written = new Map<string, number>()
  return (store: Store): void => {
    const inNamespace = (resource: string, namespace: string): readonly KubernetesObject[] =>
      store
        .collection(resource)
        .list(`${namespace}/`)
        .map(({ object }) => object)
    const isMigrating = (namespace: string): boolean =>
      inNamespace(workers, namespace).some(({ status }) => operationOf(status).type === 'Migrate')

    const seeMachine = ({ type, key, entry, previous }: StoreChange): void => {
      const { namespace = '' } = entry.object.metadata
      const missing = handedOver.get(namespace) ?? new Set()
      handedOver.set(namespace, missing)
      if (type === 'ADDED') missing.delete(key)
      const isAsked = entry.object.metadata.deletionTimestamp !== undefined
      const isNewlyAsked = isAsked && previous?.object.metadata.deletionTimestamp === undefined
      if ((isNewlyAsked || (type === 'DELETED' && !isAsked)) && isMigrating(namespace)) missing.add(key)
    }
    const seeController = ({ entry: { object }, previous }: StoreChange): void => {
      const { name, namespace = '' } = object.metadata
      if (name !== 'machine-controller-manager' || !isOfWorker()) return
      if (replicasOf(object) === 0 || previous === undefined || replicasOf(previous.object) > 0) return
      const missing = [...(handedOver.get(namespace) ?? [])]
      if (missing.length > 0)
        problems.add(
          'nothing is doubled',
          `the machine controller of ${namespace} starts without ${missing.join(', ')}, whose virtual machines it then deletes`,
        )
    }
    const seeDeployment = ({ key, entry: { object } }: StoreChange): void => {
      if (isOfWorker()) written.set(key, replicasOf(object))
    }
    const seeWorker = ({ type, entry: { object }, previous }: StoreChange): void => {
      const { namespace = '', generation, deletionTimestamp } = object.metadata
      const { observedGeneration } = Object(object.status)
      const { state, type: operation } = operationOf(object.status)
      const isNew = state === 'Succeeded' && operationOf(previous?.object.status).state !== 'Succeeded'
      if (type !== 'MODIFIED' || !isNew || operation === 'Migrate' || deletionTimestamp !== undefined) return
      if (observedGeneration !== generation || isHibernated(store, namespace)) return
      const all = inNamespace(machines, namespace).filter(
        ({ metadata, status }) =>
          metadata.deletionTimestamp === undefined &&
          /^(?:Running|Unknown|Failed)$/.test(Object(Object(status).currentStatus).phase),
      )
      for (const { metadata, spec } of inNamespace(machineDeployments, namespace)) {
        const { replicas: live = 0 } = Object(spec)
        const replicas = Math.min(live, written.get(`${namespace}/${metadata.name}`) ?? 0)
        const present = all.filter(({ metadata: { labels = {} } }) => labels.name === metadata.name).length
        if (metadata.deletionTimestamp === undefined && present < replicas)
          problems.add(
            'the live state is the wanted one',
            `Worker ${namespace} succeeded with ${present} of ${replicas} machines of ${metadata.name}`,
          )
      }
    }
    const seeManagedResource = ({ entry: { object }, previous }: StoreChange): void => {
      const { name, namespace = '', deletionTimestamp } = object.metadata
      if (name !== controllers || deletionTimestamp === undefined) return
      if (previous?.object.metadata.deletionTimestamp !== undefined) return
      const isDeletion = inNamespace(controlPlanes, namespace).some(
        ({ metadata, status }) =>
          metadata.deletionTimestamp !== undefined && operationOf(status).type === 'Delete',
      )
      const left = inNamespace(managedResources, namespace).filter(one =>
        cleanedUp.includes(one.metadata.name),
      )
      if (isDeletion && !isForced(store, namespace) && left.length > 0)
        problems.add(
          'nothing is left',
          `the controllers of ${namespace} are deleted before ${left.map(one => one.metadata.name).join(', ')}`,
        )
    }
    store.subscribe((resource, event) => {
      if (resource === machines) seeMachine(event)
      else if (resource === 'deployments.apps') seeController(event)
      else if (resource === machineDeployments) seeDeployment(event)
      else if (resource === workers) seeWorker(event)
      else if (resource === managedResources) seeManagedResource(event)
    })
  }
}

const isOfWorker = (): boolean => runningCode.getStore()?.step?.kind === 'Worker'

const operationOf = (status: unknown): { readonly type?: string; readonly state?: string } =>
  Object(Object(status).lastOperation)

const replicasOf = ({ spec }: KubernetesObject): number => Number(Object(spec).replicas ?? 1)

const shootOf = (store: Store, namespace: string): Readonly<Record<string, unknown>> =>
  Object(Object(store.collection(clusters).get(namespace)?.object.spec).shoot)

const isHibernated = (store: Store, namespace: string): boolean =>
  Object(Object(shootOf(store, namespace).spec).hibernation).enabled === true

const isForced = (store: Store, namespace: string): boolean =>
  Object(Object(shootOf(store, namespace).metadata).annotations)[
    'confirmation.gardener.cloud/force-deletion'
  ] === 'true'
