import { createApiServer } from '../../sandbox/kubernetes/api-server.ts'
import { storeKey } from '../../sandbox/kubernetes/store/object-key.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import { createKubernetes } from '../../shared/kubernetes/client.ts'
import { httpTransport } from '../../shared/kubernetes/http-transport.ts'
import { kubeconfigAccess } from '../../shared/kubernetes/kubeconfig.ts'
import type { Kubernetes, ObjectKey, Resource } from '../../shared/kubernetes/port.ts'
import { secrets } from '../../shared/lifecycle/secret-of.ts'
import { UsageError } from '../exit-code.ts'
import { readObjects } from './read-objects.ts'

/** Where an Infrastructure, its Cluster and its Secret stand. */
export interface ObjectSource {
  readonly kubernetes: Kubernetes
  readonly key: ObjectKey
  readonly close: () => void
}

/** What a plan reads. */
const readResources: Readonly<Record<string, Resource>> = {
  Infrastructure: kinds.Infrastructure.resource,
  Cluster: clusterKind.resource,
  Secret: secrets,
}

/** The objects of a file. Throws a `UsageError` unless one of them is an Infrastructure. */
export const fileSource = async (path: string, stdin: NodeJS.ReadableStream): Promise<ObjectSource> => {
  const objects = await readObjects(path, stdin)
  const found = objects.filter(({ kind }) => kind === 'Infrastructure')
  const [infrastructure] = found
  if (infrastructure === undefined) throw new UsageError(`${path}: holds no Infrastructure`)
  if (found.length > 1)
    throw new UsageError(`${path}: holds ${found.length} Infrastructures; a plan is of one`)
  const server = createApiServer({ clock: systemClock, objects: allCrds() })
  // Behind the API: they may be in any order and need no namespace, and a status stays.
  for (const object of objects) {
    const resource = readResources[object.kind]
    if (resource === undefined) continue
    const { group, plural } = resource
    const collection = server.store.collection(group === '' ? plural : `${plural}.${group}`)
    collection.put(storeKey(object.metadata.namespace, object.metadata.name), object)
  }
  const { name, namespace } = infrastructure.metadata
  return {
    kubernetes: createKubernetes({ transport: server.transport, clock: systemClock }),
    key: { name, ...(namespace !== undefined && { namespace }) },
    close: server.close,
  }
}

/** A live object, `NAMESPACE/NAME`, in the cluster of a kubeconfig. Throws a `UsageError` for what cannot be used. */
export const clusterSource = async (kubeconfig: string, object: string): Promise<ObjectSource> => {
  const [, namespace = '', name = ''] = /^([a-z0-9-]+)\/([a-z0-9.-]+)$/.exec(object) ?? []
  if (name === '')
    throw new UsageError(`${object}: with --kubeconfig, expected NAMESPACE/NAME of an Infrastructure`)
  const transport = httpTransport({ access: await accessOf(kubeconfig) })
  return {
    kubernetes: createKubernetes({ transport: transport.send, clock: systemClock }),
    key: { namespace, name },
    close: transport.close,
  }
}

const accessOf = async (file: string) => {
  try {
    return await kubeconfigAccess({ file, clock: systemClock })
  } catch {
    // The reason may quote the file, which holds credentials.
    throw new UsageError(`${file}: not a usable kubeconfig`)
  }
}
