import { createHash } from 'node:crypto'
import { configurationProblem } from '../../../shared/contract/errors.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { Bastion } from '../../../shared/contract/objects.ts'
import type { Problem } from '../../../shared/decode/problems.ts'
import {
  credentialsRefOf,
  decodeSecret,
  type Secret,
  type StepContext,
  type StepKubernetes,
  secrets,
} from '../../../shared/lifecycle/lifecycle.ts'
import { when } from '../../../shared/lists/when.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import { type IngressBlock, ingressProblems } from '../../../terraform-free-infra/cloud/ingress-ranges.ts'
import {
  decodeStrictly,
  infrastructureStatusSchema,
} from '../../../terraform-free-infra/openstack/account/config/config.ts'

/** Names of the resources of a Bastion (docs/contract/provider-openstack.md#bastion). */
export interface BastionNames {
  /** The server, and the description of the floating IP. */
  readonly base: string
  readonly group: string
  /** Descriptions of rules. */
  readonly allowSsh: string
  readonly egress: string
}

export const bastionNames = ({ namespace = '', name }: Bastion['metadata']): BastionNames => {
  const whole = `${namespace}-${name}`
  const base = `${whole.slice(0, 33)}-bastion-${createHash('sha256').update(whole).digest('hex').slice(0, 5)}`
  return { base, group: `${base}-sg`, allowSsh: `${base}-allow-ssh`, egress: `${base}-egress-worker` }
}

/** The ids of the shoot's infrastructure that a Bastion needs. */
export interface ShootNetwork {
  readonly networkId: string
  readonly routerId: string
  readonly floatingNetworkId: string
  /** The security group of the nodes. */
  readonly nodesGroupId: string
}

/** The desired state of a Bastion. */
export interface DesiredBastion {
  readonly names: BastionNames
  readonly uid: string
  readonly ingress: readonly IngressBlock[]
  /** Base64. */
  readonly userData: string
  /** Undefined only in a deletion. */
  readonly network: ShootNetwork | undefined
  /** Undefined: the first region of the catalog. */
  readonly region: string | undefined
  /** `spec` of the CloudProfile. */
  readonly cloudProfile: unknown
}

/** `MAX_USERDATA_SIZE` of Nova, of the base64 text. */
const mostUserData = 65_535

/** Returns the problems of the Bastion's own fields. */
export const bastionProblems = ({ spec: { userData, ingress } }: Bastion): readonly Problem[] => [
  ...when(userData.length > mostUserData, {
    path: 'spec.userData',
    message: `expected at most ${mostUserData} characters of base64, the limit of Nova, found ${userData.length}. Let the machine download the rest`,
  }),
  ...ingressProblems(ingress.map(({ ipBlock }) => ipBlock)),
]

/** Reads the Secret `cloudprovider` of the shoot, live. */
export const secretOf = async (kubernetes: Reads, object: Bastion): Promise<Secret> => {
  const ref = credentialsRefOf(object)
  if (ref === undefined) throw new TypeError('a Bastion has no namespace')
  return decodeSecret(
    await kubernetes.get(secrets, ref),
    ref,
    ', which contains the credentials of the shoot',
  )
}

type Reads = Pick<StepKubernetes, 'get'>

/**
 * Returns the desired state of a Bastion. Throws a `CodedError` that names a missing part of the infrastructure, unless
 * the Bastion is being deleted.
 */
export const desiredBastion = async (
  { object: { metadata, spec }, cluster }: Pick<StepContext<Bastion>, 'object' | 'cluster'>,
  kubernetes: Reads,
  { destroy }: { readonly destroy: boolean },
): Promise<DesiredBastion> => {
  const shoot = cluster?.spec.shoot
  return {
    names: bastionNames(metadata),
    uid: metadata.uid ?? '',
    ingress: spec.ingress.map(({ ipBlock }) => ipBlock),
    userData: spec.userData,
    network: await shootNetwork(
      kubernetes,
      { namespace: metadata.namespace ?? '', name: shoot?.metadata?.name ?? '' },
      destroy,
    ),
    region: shoot?.spec?.region || undefined,
    cloudProfile: cluster?.spec.cloudProfile.spec ?? undefined,
  }
}

/**
 * Infrastructure and Worker have the name of the shoot. The Go extension reads the Worker's copy of the status. In a
 * deletion, an unusable status counts as absent: the rule of the nodes ends together with the bastion's group.
 */
const shootNetwork = async (
  kubernetes: Reads,
  shoot: { readonly namespace: string; readonly name: string },
  destroy: boolean,
): Promise<ShootNetwork | undefined> => {
  const infrastructure = await kubernetes.get(kinds.Infrastructure.resource, shoot)
  const status: unknown =
    Object(infrastructure?.status).providerStatus ??
    Object((await kubernetes.get(kinds.Worker.resource, shoot))?.spec).infrastructureProviderStatus
  try {
    return networkIn(status)
  } catch (error) {
    if (destroy) return undefined
    throw configurationProblem(
      `cannot read the network of the shoot in status.providerStatus of the Infrastructure ${shoot.namespace}/${shoot.name}: ${messageOf(error)}. Reconcile the Infrastructure`,
      error,
    )
  }
}

const networkIn = (status: unknown): ShootNetwork => {
  if (status === undefined || status === null) throw new Error('it is absent')
  const { networks, securityGroups } = decodeStrictly(infrastructureStatusSchema, status)
  const nodes = securityGroups.find(({ purpose }) => purpose === 'nodes') ?? securityGroups[0]
  const network = {
    networkId: networks.id,
    routerId: networks.router.id,
    floatingNetworkId: networks.floatingPool.id,
    nodesGroupId: nodes?.id ?? '',
  }
  const missing = Object.entries(network).flatMap(([name, id]) => (id === '' ? [name.replace('Id', '')] : []))
  if (missing.length > 0) throw new Error(`it has no id of: ${missing.join(', ')}`)
  return network
}
