import { valueAt } from '../../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import { fieldErrors, type Reviewer, refusedFor } from '../../../../shared/webhooks/admission/admission.ts'
import {
  type DnsRules,
  dnsErrors,
  firstErrors,
  isAbsent,
  judgeCredentials,
  minorOf,
  type PoolsToJudge,
  poolChangeErrors,
  poolErrors,
  readConfig,
  readFormerConfig,
  readShoot,
  type ShootSpec,
} from '../../../../shared/webhooks/garden/garden.ts'
import { nodeChanges, nodeWarnings } from '../../../../shared/worker/rolls/rolls.ts'
import {
  controlPlaneConfigProblems,
  controlPlaneConfigSchema,
  decodeStrictly,
} from '../../../../terraform-free-infra/aws/account/config/config.ts'
import {
  desiredInfrastructure,
  disruptiveChanges,
  type InfrastructureConfig,
  offeredZones,
} from '../../../../terraform-free-infra/aws/infrastructure/rules.ts'
import {
  imageProblems,
  isImageChanged,
  machineHashInputs,
  poolProblems,
  zoneProblems,
} from '../../worker/machines/machines.ts'
import { awsCredentials } from '../credentials/aws-credentials.ts'
import {
  infrastructureChangeErrors,
  infrastructureConfig,
  infrastructureErrors,
  zoneErrors,
} from './infrastructure-problems.ts'
import { networkingProblems } from './networking-problems.ts'

/**
 * Validates a Shoot (docs/contract/admission.md#shoot). The checks run in groups and stop after the first group with
 * errors, because later groups would repeat them in other words.
 */
export const validateShoot: Reviewer = async (request, lookup) => {
  const { object, oldObject, namespace = '' } = request
  const read = await readShoot(request, lookup)
  if (!read.ok) return read.outcome
  const { shoot } = read
  const { spec, former, cloudProfile, region, isDeleting } = shoot

  const oldConfig =
    oldObject === undefined
      ? undefined
      : readFormerConfig(infrastructureConfig, former?.provider?.infrastructureConfig)
  if (oldConfig?.ok === false) return refusedFor(oldConfig.errors)
  const decoded = readConfig(infrastructureConfig, spec.provider?.infrastructureConfig)
  if (!decoded.ok) return refusedFor(decoded.errors)
  const { config } = decoded
  const formerConfig = oldConfig?.config

  const zones = config.networks.zones.map(({ name }) => name)
  const errors = await firstErrors([
    () => zoneErrors(config, formerConfig, offeredZones({ cloudProfile }, region)),
    () => (formerConfig === undefined ? [] : infrastructureChangeErrors(formerConfig, config)),
    () => poolChangeErrors(shoot),
    () => (isDeleting ? [] : poolImageErrors(shoot, cloudProfile, region)),
    async () => [
      ...fieldErrors(networkingProblems(spec, former), { within: object }),
      ...(oldObject === undefined ? regionErrors(region, cloudProfile) : []),
      ...infrastructureErrors(config, formerConfig, spec),
      ...controlPlaneErrors(spec),
      ...(await dnsErrors(spec, namespace, lookup, dnsRules)),
      ...poolErrors(shoot, (pool, before) => [...poolProblems(pool, before), ...zoneProblems(pool, zones)]),
    ],
  ])
  if (errors.length > 0) return refusedFor(errors)
  if (isDeleting || oldObject === undefined || former === undefined || formerConfig === undefined) return {}
  const was = { object: oldObject, spec: former, config: formerConfig }
  return { warnings: () => shootWarnings(was, { object, spec, config }) }
}

/** The credentials of Route 53. */
export const dnsRules: DnsRules = {
  type: 'aws-route53',
  expected: 'a Secret or WorkloadIdentity',
  judge: (reference, lookup) => judgeCredentials(reference, lookup, awsCredentials),
}

/** Returns an error if the CloudProfile does not have the region. Its zones could not be validated. */
const regionErrors = (region: string, cloudProfile: unknown): readonly string[] => {
  const regions = valueAt(cloudProfile, 'regions')
  const names = Array.isArray(regions) ? regions.map(one => valueAt(one, 'name')) : []
  if (names.includes(region)) return []
  const known = names.filter(name => typeof name === 'string').toSorted()
  const message = `expected a region of the cloud profile (${known.join(', ') || 'it has none'})`
  return fieldErrors([{ path: 'spec.region', message, kind: 'unsupported' }], {
    within: { spec: { region } },
  })
}

const place = { at: 'spec.provider.controlPlaneConfig' } as const

/** Returns the errors in `spec.provider.controlPlaneConfig` of a shoot. */
const controlPlaneErrors = ({ provider, kubernetes }: ShootSpec): readonly string[] => {
  const value = provider?.controlPlaneConfig
  if (isAbsent(value)) return []
  const within = { ...place, within: value }
  try {
    const config = decodeStrictly(controlPlaneConfigSchema, value)
    return fieldErrors(controlPlaneConfigProblems(config, minorOf(kubernetes?.version)), within)
  } catch (error) {
    return fieldErrors([{ path: '', message: messageOf(error) }], within)
  }
}

/**
 * Returns an error for each pool with new machines or a new image that the CloudProfile does not offer. Ignores
 * unchanged pools.
 */
const poolImageErrors = (pools: PoolsToJudge, cloudProfile: unknown, region: string): readonly string[] => {
  let judge: ReturnType<typeof imageProblems> | undefined
  return poolErrors(pools, (pool, before) => {
    if (!isImageChanged(before, pool)) return []
    judge ??= imageProblems(cloudProfile, region)
    return judge(pool)
  })
}

/** A Shoot, whole and in parts. */
interface WarnedShoot {
  readonly object: KubernetesObject
  readonly spec: ShootSpec
  readonly config: InfrastructureConfig
}

/**
 * Returns what a change of a Shoot does to its nodes and its network (docs/contract/admission.md#warnings-of-a-change).
 * Throws an Error for a Shoot or a pool without a hash.
 */
const shootWarnings = (former: WarnedShoot, next: WarnedShoot): readonly string[] => [
  ...nodeWarnings(nodeChanges(machineHashInputs, { former: former.object, next: next.object })),
  ...disruptiveChanges(desiredOf(former), desiredOf(next)),
]

/** The desired infrastructure, but for names and ids, which no change of a Shoot affects. */
const desiredOf = ({ spec: { networking, region }, config }: WarnedShoot) =>
  desiredInfrastructure(
    {
      clusterName: '',
      uid: '',
      region: region ?? '',
      sshPublicKey: undefined,
      shoot: {
        uid: undefined,
        networking: {
          ipFamilies: networking?.ipFamilies ?? undefined,
          nodes: networking?.nodes ?? undefined,
          pods: networking?.pods ?? undefined,
          services: networking?.services ?? undefined,
        },
        networkConfig: networking?.providerConfig,
        workerConfigs: [],
        cloudProfile: undefined,
      },
    },
    config,
    {},
  ).desired
