import { genericKubeconfigSecretName } from '../../../../shared/contract/cluster-facts.ts'
import { CodedError } from '../../../../shared/contract/errors.ts'
import type { Cluster, ControlPlane } from '../../../../shared/contract/objects.ts'
import { admissionPolicyVersion } from './admission-policy-version.ts'
import { usersProblem } from './control-plane-problem.ts'
import { type ControlPlaneConfig, readConfig } from './read-config.ts'
import { type ControlPlaneInfrastructure, readInfrastructure } from './read-infrastructure.ts'
import { type ControlPlaneNetworking, readNetworking } from './read-networking.ts'
import { isAtLeast, type KubernetesVersion, readVersion } from './read-version.ts'
import { type VolumeAnnotations, volumeAnnotations } from './volume-annotations.ts'

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
  readonly admissionPolicyVersion: ReturnType<typeof admissionPolicyVersion>
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
    networking: readNetworking(cluster),
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

/** `spec.purpose` no longer exists, but a CRD of an older Gardener still allows it. */
const refuseExposure = (spec: ControlPlane['spec']): void => {
  if (Reflect.get(spec, 'purpose') !== 'exposure') return
  throw new CodedError(
    'spec.purpose: Gardener no longer supports ControlPlanes of purpose exposure. The ingress gateway of the seed exposes the API server. Delete this object',
    { codes: usersProblem },
  )
}

/** From the InfrastructureConfig, which the Infrastructure has validated. */
const hasFileSystem = (infrastructureConfig: unknown): boolean =>
  field(field(infrastructureConfig, 'elasticFileSystem'), 'enabled') === true

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
