import type { Cluster, ControlPlane } from '../../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { type DesiredControlPlaneOptions, desiredControlPlane } from '../aws-control-plane.ts'
import { imageTable } from '../images/image-table.ts'
import { type ControlPlaneValues, controlPlaneValues } from '../input/control-plane-values.ts'

type Json = Readonly<Record<string, unknown>>

/** The differences from an IPv4 shoot of Kubernetes 1.33 with subnets for load balancers and an empty config. */
export interface Asked {
  readonly providerConfig?: Json
  /** `null`: no infrastructure. */
  readonly infrastructure?: Json | null
  readonly purpose?: string
  readonly version?: string | null
  readonly kubernetes?: Json
  readonly networking?: Json
  readonly networkStatus?: Json
  readonly annotations?: Readonly<Record<string, string>>
  readonly infrastructureConfig?: Json
  readonly hibernation?: { readonly wanted: boolean; readonly reached: boolean }
  readonly secretLabels?: Readonly<Record<string, string>>
}

const provider = 'aws.provider.extensions.gardener.cloud/v1alpha1'
export const namespace = 'shoot--foo--bar'

export const subnet = (purpose: string, id = `subnet-${purpose}`) => ({
  purpose,
  id,
  zone: `zone-${purpose}`,
})

export const infrastructureWith = (...purposes: readonly string[]): Json => ({
  vpc: { id: 'vpc-1', subnets: purposes.map(purpose => subnet(purpose)) },
})

export const controlPlaneOf = ({
  providerConfig,
  infrastructure,
  purpose,
  annotations,
}: Asked): ControlPlane => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'ControlPlane',
  metadata: { name: 'bar', namespace, ...(annotations && { annotations }) },
  spec: {
    type: 'aws',
    region: 'eu-west-1',
    secretRef: { name: 'cloudprovider', namespace },
    ...(purpose !== undefined && { purpose }),
    ...(providerConfig && {
      providerConfig: { apiVersion: provider, kind: 'ControlPlaneConfig', ...providerConfig },
    }),
    ...(infrastructure !== null && {
      infrastructureProviderStatus: {
        apiVersion: provider,
        kind: 'InfrastructureStatus',
        ...(infrastructure ?? infrastructureWith('nodes', 'internal', 'public')),
      },
    }),
  },
})

export const clusterOf = ({
  version = '1.33.3',
  kubernetes,
  networking,
  networkStatus,
  annotations = {},
  infrastructureConfig,
  hibernation,
}: Asked): Cluster => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Cluster',
  metadata: { name: namespace },
  spec: {
    cloudProfile: {},
    shoot: {
      metadata: { name: 'bar', annotations },
      spec: {
        kubernetes: { ...(version !== null && { version }), ...kubernetes },
        networking: { type: 'calico', pods: '100.96.0.0/11', ipFamilies: ['IPv4'], ...networking },
        provider: { type: 'aws', ...(infrastructureConfig && { infrastructureConfig }) },
        ...(hibernation && { hibernation: { enabled: hibernation.wanted } }),
      },
      status: {
        ...(networkStatus && { networking: networkStatus }),
        ...(hibernation && { hibernated: hibernation.reached, isHibernated: hibernation.reached }),
      },
    },
  },
})

export const valuesOf = (asked: Asked = {}): ControlPlaneValues =>
  controlPlaneValues({
    controlPlane: controlPlaneOf({ ...asked, annotations: {} }),
    cluster: clusterOf(asked),
    secretLabels: asked.secretLabels ?? {},
  })

const generated = {
  cloudControllerServer: 'cloud-controller-manager-server-1',
  loadBalancerWebhookServer: 'aws-load-balancer-controller-webhook-service-1',
  caBundle: 'certificates',
}

interface Container {
  readonly name: string
  readonly image: string
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly env?: readonly Json[]
}

interface Workload {
  readonly spec: {
    readonly replicas: number
    readonly template: {
      readonly metadata: { readonly annotations: Readonly<Record<string, string>> }
      readonly spec: { readonly containers: readonly Container[]; readonly volumes: readonly Json[] }
    }
  }
}

/** The objects of a control plane, with queries for tests. */
export const renderedOf = (asked: Asked = {}, options: Partial<DesiredControlPlaneOptions> = {}) => {
  const resources = desiredControlPlane({
    values: valuesOf(asked),
    images: imageTable,
    generated,
    cloudproviderData: {},
    replicas: 1,
    ...options,
  })
  const objects = resources.flatMap(({ objects }) => objects)
  const find = (kind: string, name: string): KubernetesObject | undefined =>
    objects.find(object => object.kind === kind && object.metadata.name === name)
  const workload = (name: string): Workload => {
    const found = objects.find(
      ({ kind, metadata }) => (kind === 'Deployment' || kind === 'DaemonSet') && metadata.name === name,
    )
    if (found === undefined) throw new Error(`no workload ${name}`)
    return found as unknown as Workload
  }
  const containers = (name: string) => workload(name).spec.template.spec.containers
  const container = (name: string, of: string): Container => {
    const found = containers(of).find(candidate => candidate.name === name)
    if (found === undefined) throw new Error(`no container ${name} of ${of}`)
    return found
  }
  return {
    resources,
    objects,
    find,
    workload,
    container,
    replicas: (name: string) => workload(name).spec.replicas,
    /** Command and arguments of the first container. */
    flags: (name: string, of?: string): readonly string[] => {
      const { command = [], args = [] } = of === undefined ? (containers(name)[0] ?? {}) : container(name, of)
      return [...command, ...args]
    },
    names: (resource: string) =>
      (resources.find(({ name }) => name === `extension-controlplane-${resource}`)?.objects ?? []).map(
        ({ kind, metadata }) => `${kind} ${metadata.name}`,
      ),
  }
}

/** Returns the names of the objects that exist only with this input. */
export const addedBy = (asked: Asked, resource = 'shoot'): readonly string[] => {
  const before = renderedOf().names(resource)
  return renderedOf(asked)
    .names(resource)
    .filter(name => !before.includes(name))
}

export const dualStack: Asked = {
  networking: { ipFamilies: ['IPv4', 'IPv6'] },
  networkStatus: { pods: ['100.96.0.0/11', '2001:db8:1::/56'], nodes: ['10.250.0.0/16', '2001:db8::/56'] },
}

export const ipv6Alone: Asked = { networking: { ipFamilies: ['IPv6'], pods: '2001:db8:1::/56' } }
