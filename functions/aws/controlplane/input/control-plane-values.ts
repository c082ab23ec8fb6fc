import { genericKubeconfigSecretName } from '../../../../shared/contract/cluster-facts.ts'
import type { Cluster, ControlPlane } from '../../../../shared/contract/objects.ts'
import {
  type AdmissionPolicyVersion,
  admissionPolicyVersion,
  isAtLeast,
  type KubernetesVersion,
  readNetworking,
  readVersion,
  refuseExposure,
  type ShootNetworking,
  usersProblem,
  withProblem,
} from '../../../../shared/control-plane/components/components.ts'
import { valueAt } from '../../../../shared/decode/record-of.ts'
import {
  asksForAttributesClass,
  controlPlaneConfigSchema,
  decodeStrictly,
  infrastructureStatusSchema,
} from '../../../../terraform-free-infra/aws/account/config/config.ts'

/** The values from which the objects of a control plane are derived (docs/contract/control-plane.md#input). */
export interface ControlPlaneValues {
  /** The shoot's technical id: its namespace in the seed, and its name in AWS. */
  readonly namespace: string
  readonly region: string
  readonly version: KubernetesVersion
  readonly config: ControlPlaneConfig
  readonly infrastructure: ControlPlaneInfrastructure
  readonly networking: ControlPlaneNetworking
  readonly volumes: VolumeAnnotations
  /** True if the shoot enables EFS. */
  readonly hasFileSystem: boolean
  readonly admissionPolicyVersion: AdmissionPolicyVersion | undefined
  /** Name of the Secret with the kubeconfig shared by all components. */
  readonly genericKubeconfig: string
  /** True if the credentials are a token for exchange, not an access key. */
  readonly hasWorkloadIdentity: boolean
}

export interface ControlPlaneInput {
  readonly controlPlane: ControlPlane
  readonly cluster: Cluster
  /** Labels of the Secret in `spec.secretRef`. */
  readonly secretLabels: Readonly<Record<string, string>>
}

const identityLabel = 'security.gardener.cloud/purpose'
const identityPurpose = 'workload-identity-token-requestor'

/**
 * Reads all inputs of a control plane before anything is written (docs/contract/control-plane.md#errors). Throws a
 * `CodedError` for the first input that cannot be read.
 */
export const controlPlaneValues = ({
  controlPlane: { metadata, spec },
  cluster,
  secretLabels,
}: ControlPlaneInput): ControlPlaneValues => {
  refuseExposure(spec)
  const object = `${metadata.namespace}/${metadata.name}`
  const version = readVersion(cluster)
  const { provider } = cluster.spec.shoot.spec ?? {}
  return {
    namespace: metadata.namespace ?? '',
    region: spec.region,
    config: readConfig(spec.providerConfig, object),
    infrastructure: readInfrastructure(spec.infrastructureProviderStatus, object),
    version,
    networking: withNodes(readNetworking(cluster), cluster),
    volumes: volumeAnnotations(cluster),
    hasFileSystem: hasFileSystem(provider?.infrastructureConfig),
    admissionPolicyVersion: admissionPolicyVersion(cluster, version),
    genericKubeconfig: genericKubeconfigSecretName(cluster),
    hasWorkloadIdentity: secretLabels[identityLabel] === identityPurpose,
  }
}

/** Returns true if mutable volume attributes need a feature gate in this version. */
export const needsAttributesGate = ({ version, volumes }: ControlPlaneValues): boolean =>
  volumes.hasVolumeAttributesClass && !isAtLeast(version, 34)

/** From the InfrastructureConfig, which the Infrastructure has validated. */
const hasFileSystem = (infrastructureConfig: unknown): boolean =>
  valueAt(infrastructureConfig, 'elasticFileSystem', 'enabled') === true

/** The config of a user, with defaults applied. */
export interface ControlPlaneConfig {
  readonly featureGates: Readonly<Record<string, boolean>>
  readonly useCustomRouteController: boolean
  readonly loadBalancerController: { readonly enabled: boolean; readonly ingressClassName: string }
  /** True if the storage and snapshot classes `default` are the shoot's default classes. */
  readonly managedDefaultClass: boolean
}

/** Reads `spec.providerConfig`. Throws a `CodedError`. @param object `namespace/name` */
const readConfig = (providerConfig: unknown, object: string): ControlPlaneConfig => {
  const { cloudControllerManager, loadBalancerController, storage } =
    providerConfig === undefined || providerConfig === null
      ? {}
      : withProblem(`could not decode providerConfig of controlplane '${object}'`, usersProblem, () =>
          decodeStrictly(controlPlaneConfigSchema, providerConfig),
        )
  return {
    featureGates: cloudControllerManager?.featureGates ?? {},
    useCustomRouteController: cloudControllerManager?.useCustomRouteController ?? false,
    loadBalancerController: {
      enabled: loadBalancerController?.enabled ?? false,
      ingressClassName: loadBalancerController?.ingressClassName ?? 'alb',
    },
    managedDefaultClass: storage?.managedDefaultClass ?? true,
  }
}

/** The facts about the shoot's network that a control plane needs. */
interface ControlPlaneInfrastructure {
  readonly vpcId: string
  /** The cloud controller manager finds its VPC and zone by this subnet. */
  readonly subnet: { readonly id: string; readonly zone: string }
  /** True if a public or internal subnet for load balancers exists. */
  readonly hasLoadBalancerSubnets: boolean
  /** Empty without EFS. */
  readonly fileSystemId: string
}

/** Purposes of subnets, in search order. */
const purposes = ['public', 'internal', 'nodes']

/**
 * Reads `spec.infrastructureProviderStatus`. Throws a `CodedError` with the text of the Go extension if it is malformed
 * or names no subnet. A user cannot fix it, so the error has no code.
 *
 * @param object `namespace/name`
 */
const readInfrastructure = (status: unknown, object: string): ControlPlaneInfrastructure => {
  const source = `infrastructureProviderStatus of controlplane '${object}'`
  const { vpc, elasticFileSystem } = withProblem(`could not decode ${source}`, [], () => {
    if (status === undefined || status === null) throw new Error('the infrastructure has no status')
    return decodeStrictly(infrastructureStatusSchema, status)
  })
  const subnet = purposes
    .map(purpose => vpc.subnets.find(candidate => candidate.purpose === purpose))
    .find(found => found !== undefined)
  return withProblem(`could not determine subnet from ${source}`, [], () => {
    if (subnet === undefined) throw new Error('no subnet with purpose "nodes" found')
    if (vpc.id === '') throw new Error('the VPC has no id')
    return {
      vpcId: vpc.id,
      subnet: { id: subnet.id, zone: subnet.zone },
      hasLoadBalancerSubnets: subnet.purpose !== 'nodes',
      fileSystemId: elasticFileSystem?.ID ?? '',
    }
  })
}

export interface ControlPlaneNetworking extends ShootNetworking {
  /** True if nodes have IPv6 ranges for their pods, even before the shoot has that family. */
  readonly hasNodesWithIpv6: boolean
  /** Mask bits of a node's pod range. Undefined: the default of the controller. */
  readonly nodeCidrMaskSize: number | undefined
}

const withNodes = (networking: ShootNetworking, cluster: Cluster): ControlPlaneNetworking => {
  const { spec, status } = cluster.spec.shoot
  return {
    ...networking,
    hasNodesWithIpv6:
      networking.ipFamilies.includes('IPv6') || (status?.networking?.nodes ?? []).some(isIpv6),
    nodeCidrMaskSize: spec?.kubernetes?.kubeControllerManager?.nodeCIDRMaskSize ?? undefined,
  }
}

export const hasIpv6Alone = ({ ipFamilies }: Pick<ControlPlaneNetworking, 'ipFamilies'>): boolean =>
  ipFamilies.includes('IPv6') && !ipFamilies.includes('IPv4')

export const isIpv6 = (range: string): boolean => range.includes(':')

const prefix = 'aws.provider.extensions.gardener.cloud'

/** The volume settings in annotations of the shoot (docs/contract/control-plane.md#annotations-of-the-shoot). */
export interface VolumeAnnotations {
  /** Passed on unparsed. An empty value is ignored, because the flag would stop the driver. */
  readonly volumeAttachLimit: string | undefined
  readonly reservedVolumeAttachments: string | undefined
  readonly legacyXfs: string | undefined
  readonly hasVolumeAttributesClass: boolean
}

const volumeAnnotations = ({ spec: { shoot } }: Cluster): VolumeAnnotations => {
  const value = (name: string) => shoot.metadata?.annotations?.[`${prefix}/${name}`]
  return {
    volumeAttachLimit: value('volume-attach-limit') || undefined,
    reservedVolumeAttachments: value('reserved-volume-attachments') || undefined,
    legacyXfs: value('legacy-xfs') || undefined,
    hasVolumeAttributesClass: asksForAttributesClass(shoot.metadata?.annotations),
  }
}
