import { deployments, services } from '../../../shared/kubernetes/core-resources.ts'
import {
  type GroupVersionResource,
  type Kubernetes,
  type KubernetesObject,
  keyOf,
} from '../../../shared/kubernetes/kubernetes.ts'
import { untilPasses } from '../until-passes.ts'

export const etcds: GroupVersionResource = {
  ...{ group: 'druid.gardener.cloud', version: 'v1alpha1', plural: 'etcds', namespaced: true },
}

interface EtcdSpec {
  readonly replicas: number
  readonly etcd: { readonly clientUrlTls: { readonly serverTLSSecretRef: { readonly name: string } } }
}

/** The image of `tls-front.ts`. */
export const frontImage = 'tls-front'

export interface EtcdAddress {
  readonly host: string
  /** The port of etcd, and that of its snapshots, without TLS. */
  readonly port: number
  readonly snapshotPort: number
}

const certificates = '/certificates'

/** Returns the Service and the Pod that lead to etcd with the certificate of an Etcd. They end with it. */
const membersOf = (etcd: KubernetesObject, { host, port, snapshotPort }: EtcdAddress) => {
  const { name, namespace, uid = '' } = etcd.metadata
  const { serverTLSSecretRef } = (etcd.spec as EtcdSpec).etcd.clientUrlTls
  const labels = { 'trellis.test/etcd': name }
  const own = (of: string) => ({
    ...{ name: of, ...(namespace !== undefined && { namespace }) },
    ownerReferences: [{ apiVersion: etcd.apiVersion ?? '', kind: 'Etcd', name, uid }],
  })
  const front = (of: string, listens: number, protocol: string, target: number) => ({
    ...{ name: of, image: frontImage },
    args: [String(listens), certificates, protocol, host, String(target)],
    volumeMounts: [{ name: 'certificates', mountPath: certificates }],
    readinessProbe: { tcpSocket: { port: listens }, periodSeconds: 1 },
  })
  return [
    {
      resource: services,
      object: {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: own(`${name}-client`),
        spec: {
          selector: labels,
          ports: [
            { name: 'client', port: 2379 },
            { name: 'backuprestore', port: 8080 },
          ],
        },
      },
    },
    {
      resource: deployments,
      object: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: own(name),
        spec: {
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: {
              automountServiceAccountToken: false,
              terminationGracePeriodSeconds: 1,
              containers: [
                front('etcd', 2379, 'h2', port),
                front('backup-restore', 8080, 'http/1.1', snapshotPort),
              ],
              volumes: [{ name: 'certificates', secret: { secretName: serverTLSSecretRef.name } }],
            },
          },
        },
      },
    },
  ] as const
}

/** Does for an Etcd what etcd-druid does. The data are elsewhere: `address`. */
export const serveEtcd = async (
  kubernetes: Kubernetes,
  etcd: KubernetesObject,
  address: EtcdAddress,
): Promise<void> => {
  const { metadata } = etcd
  const { generation, annotations = {}, deletionTimestamp } = metadata
  const requested = annotations['gardener.cloud/operation'] !== undefined
  if (deletionTimestamp !== undefined) return
  if (!requested && Object(etcd.status).observedGeneration === generation) return
  for (const { resource, object } of membersOf(etcd, address))
    await kubernetes.apply(resource, object, { fieldManager: 'etcd-druid', force: true })
  await untilPasses(async () => {
    const now = await kubernetes.get(deployments, keyOf(etcd))
    const { observedGeneration, updatedReplicas, readyReplicas, replicas } = Object(now?.status)
    if (
      observedGeneration !== now?.metadata.generation ||
      updatedReplicas !== 1 ||
      readyReplicas !== 1 ||
      replicas !== 1
    )
      throw new Error(`${metadata.name} is not rolled out`)
  })
  if (requested)
    await kubernetes.patch(etcds, keyOf(etcd), {
      metadata: { annotations: { 'gardener.cloud/operation': null } },
    })
  const { replicas } = etcd.spec as EtcdSpec
  const time = new Date().toISOString()
  const condition = { status: 'True', reason: 'Ready', message: 'ready', lastTransitionTime: time }
  const status = {
    ...{
      observedGeneration: generation,
      ready: true,
      replicas,
      currentReplicas: replicas,
      readyReplicas: replicas,
    },
    conditions: ['Ready', 'AllMembersReady', 'AllMembersUpdated', 'BackupReady'].map(type => ({
      ...{ ...condition, type, lastUpdateTime: time },
    })),
  }
  await kubernetes.patch(etcds, keyOf(etcd), { status }, { subresource: 'status' })
}
