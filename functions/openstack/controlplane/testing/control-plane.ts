import type { Cluster, ControlPlane } from '../../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { DesiredManagedResource } from '../../../../shared/resources/resources.ts'
import { recordedOpenStackControlPlane } from '../../../../test/recorded/control-planes.ts'
import { imageTable } from '../images/image-table.ts'
import { openstackControlPlane } from '../openstack-control-plane.ts'

type Json = Readonly<Record<string, unknown>>

export interface RenderedInput {
  readonly controlPlane: ControlPlane
  readonly cluster: Cluster
  /** Plain text. Undefined: no Secret. */
  readonly credentials: Readonly<Record<string, string>> | undefined
}

/** Returns the ManagedResources of Trellis. */
export const rendered = (
  { controlPlane, cluster, credentials }: RenderedInput,
  {
    replicas = 1,
    serverSecret = 'server',
    cloudproviderData = {},
  }: {
    readonly replicas?: 0 | 1
    readonly serverSecret?: string
    readonly cloudproviderData?: Readonly<Record<string, string>>
  } = {},
): readonly DesiredManagedResource[] => {
  const { namespace = '' } = controlPlane.metadata
  const { prerequisites, resources } = openstackControlPlane(imageTable).desired({
    controlPlane,
    cluster,
    secret: credentials && { name: 'cloudprovider', namespace, labels: {}, data: credentials },
  })
  const secret = () => ({ name: serverSecret, data: {} })
  return [
    ...prerequisites,
    ...resources({ secrets: { current: secret, bundle: secret }, cloudproviderData, replicas }),
  ]
}

/** The differences from the recorded default: Kubernetes 1.33, an overlay, and an empty config. */
export interface OpenStackAsked {
  readonly providerConfig?: Json
  /** The config of the CloudProfile. `null`: none. */
  readonly profile?: Json | null
  /** Networks of the infrastructure. `null`: no infrastructure. */
  readonly networks?: Json | null
  readonly shootSpec?: Json
  readonly shootStatus?: Json
  readonly annotations?: Readonly<Record<string, string>>
  readonly credentials?: Readonly<Record<string, string>> | undefined
}

export const password = {
  domainName: 'acme',
  tenantName: 'shoots',
  authURL: 'https://keystone.example.com/v3',
  username: 'gardener',
  password: 'planted-secret-value',
}

const merged = (base: unknown, changes: unknown): unknown =>
  typeof changes === 'object' && changes !== null && !Array.isArray(changes)
    ? Object.fromEntries([
        ...Object.entries(Object(base)),
        ...Object.entries(changes).map(([key, value]) => [key, merged(Object(base)[key], value)]),
      ])
    : changes

export const inputOf = (asked: OpenStackAsked = {}): RenderedInput => {
  const { controlPlane, cluster } = recordedOpenStackControlPlane('default').input
  const { providerConfig, profile, networks, shootSpec = {}, shootStatus = {}, annotations } = asked
  return {
    controlPlane: merged(controlPlane, {
      ...(annotations && { metadata: { annotations } }),
      spec: {
        ...(providerConfig && { providerConfig }),
        ...(networks !== undefined && { infrastructureProviderStatus: networks && { networks } }),
      },
    }) as ControlPlane,
    cluster: merged(cluster, {
      spec: {
        shoot: { spec: shootSpec, status: shootStatus },
        ...(profile !== undefined && { cloudProfile: { spec: { providerConfig: profile } } }),
      },
    }) as Cluster,
    credentials: 'credentials' in asked ? asked.credentials : password,
  }
}

/** The objects of a control plane, with queries for tests. */
export const renderedOf = (asked: OpenStackAsked = {}, options: Parameters<typeof rendered>[1] = {}) => {
  const resources = rendered(inputOf(asked), options)
  const objects = resources.flatMap(resource => resource.objects)
  const find = (kind: string, name: string): KubernetesObject => {
    const found = objects.find(object => object.kind === kind && object.metadata.name === name)
    if (found === undefined) throw new Error(`no ${kind} ${name}`)
    return found
  }
  const secretText = (name: string, key = 'cloudprovider.conf'): string =>
    Buffer.from(String(Object(Object(find('Secret', name)).data)[key] ?? ''), 'base64').toString()
  const podOf = (kind: 'Deployment' | 'DaemonSet', name: string) =>
    Object(find(kind, name).spec).template.spec as {
      readonly containers: readonly {
        readonly name: string
        readonly image: string
        readonly command?: readonly string[]
        readonly args?: readonly string[]
        readonly volumeMounts: readonly Json[]
      }[]
      readonly volumes: readonly Json[]
    }
  return {
    resources,
    objects,
    find,
    podOf,
    secretText,
    /** The configuration of the cloud controller manager. */
    config: secretText('cloud-provider-config'),
    flags: podOf('Deployment', 'cloud-controller-manager').containers[0]?.command ?? [],
    ids: objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
  }
}
