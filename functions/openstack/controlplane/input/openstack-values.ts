import { genericKubeconfigSecretName } from '../../../../shared/contract/cluster-facts.ts'
import { configurationProblem } from '../../../../shared/contract/errors.ts'
import type { Cluster } from '../../../../shared/contract/objects.ts'
import {
  type AdmissionPolicyVersion,
  admissionPolicyVersion,
  type KubernetesVersion,
  type PodNetworking,
  readNetworking,
  readVersion,
  refuseExposure,
  usersProblem,
  withProblem,
} from '../../../../shared/control-plane/components/components.ts'
import type { ControlPlaneFacts } from '../../../../shared/control-plane/control-plane.ts'
import { recordsOf, stringOf, valueAt } from '../../../../shared/decode/record-of.ts'
import type { Secret } from '../../../../shared/lifecycle/lifecycle.ts'
import {
  type CloudProfileConfig,
  cloudProfileConfigSchema,
  controlPlaneConfigSchema,
  decodeStrictly,
  type InfrastructureStatus,
  infrastructureStatusSchema,
  type Keystone,
  keystoneOf,
  type LoadBalancerClass,
} from '../../../../terraform-free-infra/openstack/account/config/config.ts'
import { readCredentials } from '../../../../terraform-free-infra/openstack/account/openstack.ts'
import { type LoadBalancers, loadBalancersOf } from '../config/load-balancers-of.ts'

/** The values from which the objects of a control plane are derived (docs/contract/provider-openstack.md#controlplane). */
export interface OpenStackValues {
  /** The shoot's technical id: its namespace in the seed, and its name in OpenStack. */
  readonly namespace: string
  readonly region: string
  readonly version: KubernetesVersion
  readonly config: OpenStackControlPlaneConfig
  readonly profile: CloudProfileConfig
  readonly credentials: ComponentCredentials
  readonly networks: InfrastructureStatus['networks']
  readonly loadBalancers: LoadBalancers
  readonly networking: PodNetworking
  readonly admissionPolicyVersion: AdmissionPolicyVersion | undefined
  /** Name of the Secret with the kubeconfig shared by all components. */
  readonly genericKubeconfig: string
  /** Parts of the `User-Agent`, by which an operator of OpenStack finds the shoot of a call. */
  readonly userAgents: readonly string[]
  /** Undefined: Manila is off. */
  readonly manila: ManilaValues | undefined
}

/** The network of shares, and their zones. */
export interface ManilaValues {
  /** Sorted zones of all worker pools. */
  readonly zones: readonly string[]
  /** Undefined: shares of a type that needs no share network. */
  readonly shareNetworkId: string | undefined
  /** The range of addresses that may mount shares. */
  readonly clients: string
}

/**
 * Reads all inputs of a control plane before anything is written. Throws a `CodedError` for the first input that cannot
 * be read.
 */
export const openstackValues = ({
  controlPlane: { metadata, spec },
  cluster,
  secret,
}: ControlPlaneFacts): OpenStackValues => {
  refuseExposure(spec)
  const { namespace = '' } = metadata
  const object = `${namespace}/${metadata.name}`
  const config = readConfig(spec.providerConfig, object)
  const { networks } = readInfrastructure(spec.infrastructureProviderStatus, object)
  const nodes = nodesSubnetOf(networks, object)
  const profile = readProfile(cluster)
  const credentials = readComponentCredentials(secret, object, keystoneOf(profile, spec.region))
  const version = readVersion(cluster)
  return {
    namespace,
    region: spec.region,
    version,
    config,
    profile,
    credentials,
    networks,
    loadBalancers: loadBalancersOf({
      ofUser: config.loadBalancerClasses,
      profile,
      networks,
      nodesSubnet: nodes.id,
      region: spec.region,
      domain: credentials.domainName,
    }),
    networking: readNetworking(cluster),
    admissionPolicyVersion: admissionPolicyVersion(cluster, version),
    genericKubeconfig: genericKubeconfigSecretName(cluster),
    userAgents: [credentials.domainName, credentials.tenantName, namespace],
    manila: config.hasManila
      ? {
          zones: zonesOf(cluster),
          shareNetworkId: networks.shareNetwork?.id || undefined,
          clients: nodes.cidr || workersRange(cluster),
        }
      : undefined,
  }
}

/** The config of a user, with defaults applied. */
interface OpenStackControlPlaneConfig {
  readonly loadBalancerProvider: string
  /** Undefined: the user lists none. An empty list means no classes. */
  readonly loadBalancerClasses: readonly LoadBalancerClass[] | undefined
  readonly featureGates: Readonly<Record<string, boolean>>
  readonly hasManila: boolean
}

/** Reads `spec.providerConfig`. Throws a `CodedError`. @param object `namespace/name` */
const readConfig = (providerConfig: unknown, object: string): OpenStackControlPlaneConfig => {
  const config =
    providerConfig === undefined || providerConfig === null
      ? undefined
      : withProblem(`could not decode providerConfig of controlplane '${object}'`, usersProblem, () =>
          decodeStrictly(controlPlaneConfigSchema, providerConfig),
        )
  const listsClasses = Array.isArray(valueAt(providerConfig, 'loadBalancerClasses'))
  return {
    loadBalancerProvider: config?.loadBalancerProvider ?? '',
    loadBalancerClasses: listsClasses ? config?.loadBalancerClasses : undefined,
    featureGates: config?.cloudControllerManager?.featureGates ?? {},
    hasManila: config?.storage?.csiManila?.enabled === true,
  }
}

/** Reads `spec.infrastructureProviderStatus`. A user cannot fix it, so the error has no code. */
const readInfrastructure = (status: unknown, object: string): InfrastructureStatus =>
  withProblem(`could not decode infrastructureProviderStatus of controlplane '${object}'`, [], () => {
    if (status === undefined || status === null) throw new Error('the infrastructure has no status')
    return decodeStrictly(infrastructureStatusSchema, status)
  })

const nodesSubnetOf = ({ subnets }: InfrastructureStatus['networks'], object: string) =>
  withProblem(
    `could not determine subnet from infrastructureProviderStatus of controlplane '${object}'`,
    [],
    () => {
      const found = subnets.find(({ purpose }) => purpose === 'nodes')
      if (found === undefined) throw new Error('cannot find subnet with purpose "nodes"')
      return found
    },
  )

const readProfile = ({ metadata, spec: { cloudProfile } }: Cluster): CloudProfileConfig =>
  withProblem(`could not decode providerConfig of the CloudProfile of shoot '${metadata.name}'`, [], () => {
    const providerConfig = valueAt(cloudProfile, 'spec', 'providerConfig')
    if (providerConfig === undefined || providerConfig === null) throw new Error('the CloudProfile has none')
    return decodeStrictly(cloudProfileConfigSchema, providerConfig)
  })

const zonesOf = ({ spec: { shoot } }: Cluster): readonly string[] => {
  const zones = recordsOf(valueAt(shoot, 'spec', 'provider', 'workers')).flatMap(pool =>
    Array.isArray(pool.zones) ? pool.zones.filter(zone => typeof zone === 'string') : [],
  )
  return [...new Set(zones)].toSorted()
}

/** The range of the nodes in the InfrastructureConfig, for a status that was written before it had ranges. */
const workersRange = ({ spec: { shoot } }: Cluster): string => {
  const of = (field: string) =>
    stringOf(valueAt(shoot, 'spec', 'provider', 'infrastructureConfig', 'networks', field))
  return of('workers') || of('worker')
}

/** The credentials in the configurations of components. Contains secret values. An absent text is empty, as in Go. */
interface ComponentCredentials {
  readonly authUrl: string
  readonly domainName: string
  readonly tenantName: string
  readonly username: string
  /** Undefined: an application credential. */
  readonly password: string | undefined
  readonly applicationCredential:
    | { readonly id: string; readonly name: string; readonly secret: string }
    | undefined
  /** The CA certificates of OpenStack in PEM. Undefined: those of the host. */
  readonly ca: string | undefined
  /** True if the components do not verify certificates. */
  readonly isInsecure: boolean
}

/**
 * Reads the credentials of a Secret. Without a URL in it, the CloudProfile's Keystone applies. Throws a `CodedError` with
 * ERR_CONFIGURATION_PROBLEM that names the Secret and the key, never a value.
 *
 * @param object `namespace/name` of the ControlPlane
 */
const readComponentCredentials = (
  secret: Secret | undefined,
  object: string,
  keystone: Keystone | undefined,
): ComponentCredentials => {
  if (secret === undefined)
    throw configurationProblem(
      `the ControlPlane ${object} names no Secret with credentials: set spec.secretRef`,
    )
  const { domainName, tenantName, authUrl, tls } = readCredentials(secret)
  const url = authUrl ?? keystone?.url
  if (url === undefined)
    throw configurationProblem(
      `the Secret ${secret.namespace}/${secret.name} has no authURL, and the CloudProfile has no keystoneURL for the region. Set one of them`,
    )
  const { ca, insecure } = authUrl === undefined ? { ...keystone?.tls, ...tls } : tls
  const {
    username = '',
    password,
    applicationCredentialID: id = '',
    applicationCredentialName: name = '',
    applicationCredentialSecret,
  } = secret.data
  return {
    authUrl: url,
    domainName,
    tenantName,
    username,
    password: password || undefined,
    applicationCredential: applicationCredentialSecret
      ? { id, name, secret: applicationCredentialSecret }
      : undefined,
    ca,
    isInsecure: insecure === true,
  }
}
