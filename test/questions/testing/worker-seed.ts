import { reconciledWorker } from '../../../cli/plan/testing/reconciled-worker.ts'
import { createApiServer, storeKey } from '../../../sandbox/kubernetes/kubernetes.ts'
import type { VirtualClock } from '../../../shared/clock/clock.ts'
import { allCrds, machineCrds, resourceCrds } from '../../../shared/contract/crds/crd-of.ts'
import { clusterKind, type KindName, kinds } from '../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../shared/contract/machine-kinds.ts'
import { createKubernetes, type KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { secrets } from '../../../shared/lifecycle/lifecycle.ts'

const running = await reconciledWorker()

/** Returns the objects of a shoot `name` with the reconciled Worker of the example, which has two pools. */
export const workerOf = (name: string): readonly KubernetesObject[] =>
  JSON.parse(JSON.stringify(running).replaceAll('shoot--garden--pools', `shoot--garden--${name}`))

const resourceOf = (kind: string) =>
  ({ Cluster: clusterKind.resource, Secret: secrets })[kind] ??
  machineKinds[kind as 'Machine']?.resource ??
  kinds[kind as KindName].resource

/** Serves objects as they are, with their status and managedFields. */
export const serveObjects = (clock: VirtualClock, objects: readonly KubernetesObject[]) => {
  const server = createApiServer({ clock, objects: [...allCrds(), ...machineCrds(), ...resourceCrds()] })
  for (const object of objects) {
    const { group, plural } = resourceOf(object.kind)
    const collection = server.store.collection(group === '' ? plural : `${plural}.${group}`)
    const { stringData } = object
    const data = Object.entries(Object(stringData)).map(([key, text]) => [
      key,
      Buffer.from(String(text)).toString('base64'),
    ])
    const stored = stringData === undefined ? object : { ...object, data: Object.fromEntries(data) }
    collection.put(storeKey(object.metadata.namespace, object.metadata.name), stored)
  }
  return { server, kubernetes: createKubernetes({ transport: server.transport, clock }) }
}

/** Returns objects of which those of a kind, and with a part of a name, are changed. */
export const changing = (
  objects: readonly KubernetesObject[],
  kind: string,
  change: (object: KubernetesObject) => object,
  part = '',
): readonly KubernetesObject[] =>
  objects.map(object =>
    object.kind === kind && object.metadata.name.includes(part)
      ? { ...object, ...change(structuredClone(object)) }
      : object,
  )
