import { systemClock } from '../../shared/clock/clock.ts'
import type {
  ClusterAccess,
  GroupVersionResource,
  Kubernetes,
  KubernetesObject,
} from '../../shared/kubernetes/kubernetes.ts'
import {
  createKubernetes,
  type HttpTransport,
  httpTransport,
  readText,
} from '../../shared/kubernetes/kubernetes.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { type KubeApiServerOptions, type RunningApiServer, startKubeApiServer } from './kube-apiserver.ts'
import type { KubePrograms } from './programs/kube-programs.ts'

/** A client of a cluster. */
export interface ConnectedCluster {
  readonly kubernetes: Kubernetes
  readonly transport: HttpTransport
  /** Returns the resource of a kind, according to the server's discovery. */
  resourceOf(object: Pick<KubernetesObject, 'apiVersion' | 'kind'>): Promise<GroupVersionResource>
  /** Creates objects in sequence. A created namespace precedes its objects. */
  create(objects: readonly KubernetesObject[]): Promise<void>
  /**
   * Returns the server's refusal to create an object, without creating it: from admission, validation, and the check
   * for unknown fields. Undefined if the server accepts it.
   */
  refusalOf(object: KubernetesObject): Promise<string | undefined>
  /** Returns an object as the server would create it, after admission. Throws its refusal. */
  dryRun(object: KubernetesObject): Promise<KubernetesObject>
  /**
   * Applies an object on the server, like `kubectl apply --server-side`. Resolves with the stored object. An unknown
   * field is an error.
   */
  apply(object: KubernetesObject): Promise<KubernetesObject>
}

/** A kube-apiserver with a connected client. */
export interface RealCluster extends Omit<ConnectedCluster, 'transport'> {
  readonly server: RunningApiServer
  close(): Promise<void>
}

export const definitions: GroupVersionResource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
}

interface Discovered {
  readonly resources: readonly {
    readonly name: string
    readonly kind: string
    readonly namespaced: boolean
  }[]
}

export const startRealCluster = async (
  programs: KubePrograms,
  options?: KubeApiServerOptions,
): Promise<RealCluster> => {
  const server = await startKubeApiServer(programs, options)
  const { transport, ...cluster } = connectCluster(server.access)
  return {
    ...cluster,
    server,
    close: async () => {
      transport.close()
      await server.close()
    },
  }
}

/** Connects to a cluster. Close its transport at the end. */
export const connectCluster = (access: ClusterAccess): ConnectedCluster => {
  const transport = httpTransport({ access })
  const kubernetes = createKubernetes({ transport: transport.send, clock: systemClock })

  const discovered = new Map<string, GroupVersionResource>()
  const resourceOf: ConnectedCluster['resourceOf'] = async ({ apiVersion, kind }) => {
    const known = discovered.get(`${apiVersion} ${kind}`)
    if (known !== undefined) return known
    const [version = '', group = ''] = apiVersion.split('/').toReversed()
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
    const { status, body } = await transport.send({
      method: 'GET',
      path,
      headers: { accept: 'application/json' },
    })
    const text = await readText(body)
    const found =
      status === 200 &&
      (JSON.parse(text) as Discovered).resources.find(
        entry => entry.kind === kind && !entry.name.includes('/'),
      )
    if (!found) throw new Error(`looking for ${kind} of ${apiVersion}: ${status}`)
    const resource = { group, version, plural: found.name, namespaced: found.namespaced }
    discovered.set(`${apiVersion} ${kind}`, resource)
    return resource
  }

  const dryRun: ConnectedCluster['dryRun'] = async object => {
    const { group, version, plural, namespaced } = await resourceOf(object)
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
    const inside = namespaced ? `/namespaces/${object.metadata.namespace ?? 'default'}` : ''
    const { status, body } = await transport.send({
      method: 'POST',
      path: `${root}${inside}/${plural}?dryRun=All&fieldValidation=Strict`,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(object),
    })
    const answer = JSON.parse(await readText(body))
    if (status !== 201) throw new Error(`${object.kind} ${object.metadata.name}: ${answer.message}`)
    return answer as KubernetesObject
  }

  return {
    transport,
    kubernetes,
    resourceOf,
    create: async objects => {
      for (const object of objects) await kubernetes.create(await resourceOf(object), object)
    },
    dryRun,
    refusalOf: object =>
      dryRun(object).then(
        () => undefined,
        error => messageOf(error),
      ),
    apply: async object => {
      const { group, version, plural, namespaced } = await resourceOf(object)
      const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
      const inside = namespaced ? `/namespaces/${object.metadata.namespace ?? 'default'}` : ''
      const { status, body } = await transport.send({
        method: 'PATCH',
        path: `${root}${inside}/${plural}/${encodeURIComponent(object.metadata.name)}?fieldManager=trellis&fieldValidation=Strict`,
        headers: { accept: 'application/json', 'content-type': 'application/apply-patch+yaml' },
        body: JSON.stringify(object),
      })
      const text = await readText(body)
      if (status !== 200 && status !== 201)
        throw new Error(`${object.kind} ${object.metadata.name}: ${JSON.parse(text).message}`)
      return JSON.parse(text) as KubernetesObject
    },
  }
}
