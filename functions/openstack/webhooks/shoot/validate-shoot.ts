import { isDeepStrictEqual } from 'node:util'
import { featureGateProblems } from '../../../../shared/contract/feature-gates.ts'
import { type Problem, problemsInEach } from '../../../../shared/decode/problems.ts'
import { valueAt } from '../../../../shared/decode/record-of.ts'
import { when } from '../../../../shared/lists/when.ts'
import { fieldErrors, type Reviewer, refusedFor } from '../../../../shared/webhooks/admission/admission.ts'
import {
  type ConfigPlace,
  decodeBy,
  dnsErrors,
  firstErrors,
  minorOf,
  overlayOf,
  overlayProblem,
  poolChangeErrors,
  poolErrors,
  readConfig,
  readFormerConfig,
  readShoot,
  type ShootSpec,
} from '../../../../shared/webhooks/garden/garden.ts'
import {
  type CloudProfileConfig,
  type ControlPlaneConfig,
  cloudProfileConfigSchema,
  controlPlaneConfigSchema,
  decodeStrictly,
} from '../../../../terraform-free-infra/openstack/account/config/config.ts'
import type { InfrastructureConfig } from '../../../../terraform-free-infra/openstack/infrastructure/rules.ts'
import { poolProblems } from '../../worker/machines/machines.ts'
import { designateCredentials } from '../credentials/openstack-credentials.ts'
import { classProblems } from '../load-balancers/class-problems.ts'
import {
  changeProblems,
  infrastructureConfig,
  infrastructureProblems,
  isIpv6Alone,
} from './infrastructure-config.ts'
import { loadBalancerChoiceProblems, poolChoiceProblems, type RestrictedChoices } from './profile-problems.ts'
import { readDomain } from './shoot-domain.ts'

const profileConfig: ConfigPlace<CloudProfileConfig> = {
  at: 'spec.cloudProfile',
  kind: 'CloudProfileConfig in the CloudProfile',
  decode: decodeBy(value => decodeStrictly(cloudProfileConfigSchema, value)),
}

/** Validates a Shoot (docs/contract/provider-openstack.md#admission). */
export const validateShoot: Reviewer = async (request, lookup) => {
  const { object, oldObject, namespace = '' } = request
  const read = await readShoot(request, lookup)
  if (!read.ok) return read.outcome
  const { shoot } = read
  const { spec, former, region } = shoot
  const { infrastructureConfig: place, controlPlaneConfig: controlPlanePlace } = spec.provider ?? {}
  const infrastructure = readConfig(infrastructureConfig, place)
  if (!infrastructure.ok) return refusedFor(infrastructure.errors)
  const controlPlane = readConfig(controlPlaneConfig, controlPlanePlace)
  if (!controlPlane.ok) return refusedFor(controlPlane.errors)
  const profile = readConfig(profileConfig, valueAt(shoot.cloudProfile, 'providerConfig'))
  if (!profile.ok) return refusedFor(profile.errors)
  const before =
    oldObject === undefined
      ? undefined
      : readFormerConfig(infrastructureConfig, former?.provider?.infrastructureConfig)
  if (before?.ok === false) return refusedFor(before.errors)

  const choices = choicesOf(former, infrastructure.config, controlPlane.config)
  const isRestricted = Object.values(choices).includes(true)
  const access = isRestricted ? await readDomain(spec, namespace, lookup) : undefined
  if (access?.ok === false) return refusedFor([access.message])
  const domain = access?.domain
  const { constraints, serverGroupPolicies } = profile.config
  const { floatingPoolName } = infrastructure.config
  const facts = domain === undefined ? undefined : { floatingPoolName, domain, region, constraints }
  const ofInfrastructure = { at: infrastructureConfig.at, within: infrastructure.config }
  const ofControlPlane = { at: controlPlaneConfig.at, within: controlPlane.config }
  const errors = await firstErrors([
    () => poolChangeErrors(shoot),
    async () => [
      ...fieldErrors(
        [
          ...(before === undefined ? [] : changeProblems(before.config, infrastructure.config)),
          ...(facts === undefined ? [] : poolChoiceProblems(choices, facts)),
        ],
        ofInfrastructure,
      ),
      ...fieldErrors(
        facts === undefined ? [] : loadBalancerChoiceProblems(choices, controlPlane.config, facts),
        ofControlPlane,
      ),
      ...fieldErrors(networkingProblems(spec, former), { within: object }),
      ...fieldErrors(infrastructureProblems(infrastructure.config, spec), ofInfrastructure),
      ...fieldErrors(controlPlaneProblems(controlPlane.config, infrastructure.config, spec), ofControlPlane),
      ...poolErrors(shoot, pool => poolProblems(pool, serverGroupPolicies)),
      ...(await dnsErrors(spec, namespace, lookup, designateCredentials)),
    ],
  ])
  return refusedFor(errors)
}

/** A running shoot survives a new restriction of the CloudProfile: only new and changed choices are checked. */
const choicesOf = (
  former: ShootSpec | undefined,
  { floatingPoolName }: InfrastructureConfig,
  { loadBalancerProvider, loadBalancerClasses }: ControlPlaneConfig,
): RestrictedChoices => {
  const { infrastructureConfig: infrastructure, controlPlaneConfig: controlPlane } = former?.provider ?? {}
  const decoded = controlPlaneConfig.decode(controlPlane)
  const before = decoded.ok ? decoded.config : undefined
  return {
    floatingPool: valueAt(infrastructure, 'floatingPoolName') !== floatingPoolName,
    loadBalancerProvider: before?.loadBalancerProvider !== loadBalancerProvider,
    loadBalancerClasses: !isDeepStrictEqual(before?.loadBalancerClasses, loadBalancerClasses),
  }
}

/** Returns the problems of the networks of a Shoot. Paths begin at the Shoot. Ignores an overlay that did not change. */
const networkingProblems = (spec: ShootSpec, former: ShootSpec | undefined): readonly Problem[] => {
  const { networking } = spec
  const isSame = isDeepStrictEqual(former?.networking?.providerConfig, networking?.providerConfig)
  return [
    ...when(!networking?.nodes, {
      path: 'spec.networking.nodes',
      message: 'expected the CIDR of the nodes, found nothing',
      kind: 'required' as const,
    }),
    ...when(isIpv6Alone(spec), {
      path: 'spec.networking.ipFamilies',
      message: 'expected IPv4, or IPv4 and IPv6',
    }),
    ...(overlayOf(networking?.providerConfig) === 'unreadable' && !(former !== undefined && isSame)
      ? [overlayProblem(networking?.providerConfig)]
      : []),
  ]
}

/** The ControlPlaneConfig in a Shoot. */
const controlPlaneConfig: ConfigPlace<ControlPlaneConfig> = {
  at: 'spec.provider.controlPlaneConfig',
  kind: 'ControlPlaneConfig',
  decode: decodeBy(value => decodeStrictly(controlPlaneConfigSchema, value)),
}

/** Returns the problems of a config in its Shoot (docs/contract/provider-openstack.md#admission). */
const controlPlaneProblems = (
  { loadBalancerProvider, loadBalancerClasses, cloudControllerManager, storage }: ControlPlaneConfig,
  { networks }: InfrastructureConfig,
  { kubernetes }: ShootSpec,
): readonly Problem[] => [
  ...when(loadBalancerProvider === '', {
    path: 'loadBalancerProvider',
    message: 'expected the name of a provider of load balancers, found nothing',
    kind: 'required' as const,
  }),
  ...classProblems('loadBalancerClasses', loadBalancerClasses),
  ...problemsInEach(loadBalancerClasses, ({ purpose }, index) =>
    when(purpose === 'vpn', {
      path: `loadBalancerClasses[${index}]`,
      message: 'expected another purpose: only a CloudProfile may have a class for the purpose vpn',
    }),
  ),
  ...featureGateProblems(
    ['cloudControllerManager', 'featureGates'],
    cloudControllerManager?.featureGates,
    minorOf(kubernetes?.version),
  ),
  ...when(storage?.csiManila?.enabled && !networks.shareNetwork?.enabled, {
    path: 'storage.csiManila.enabled',
    message: 'expected networks.shareNetwork.enabled: true in the InfrastructureConfig, too',
  }),
]
