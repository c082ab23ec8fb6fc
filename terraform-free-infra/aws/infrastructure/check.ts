import type { Timestamp } from '../../../shared/clock/clock.ts'
import { type CodedError, configurationProblem } from '../../../shared/contract/errors.ts'
import { formatProblems, type Problem } from '../../../shared/decode/problems.ts'
import type { Secret } from '../../../shared/lifecycle/lifecycle.ts'
import type { Read, State } from '../../engine/engine.ts'
import { readCredentials } from '../account/credentials/read-credentials.ts'
import { formats, formProblems } from '../account/formats.ts'
import { accountProblems } from './account/account-problems.ts'
import { appliedConfig } from './account/applied-config.ts'
import type { AwsCloud } from './cloud.ts'
import { type ConfigZone, decodeConfig, type InfrastructureConfig } from './config/config.ts'
import { cidrProblems } from './config/problems/cidr-problems.ts'
import { cloudProfileProblems } from './config/problems/cloud-profile-problems.ts'
import { configProblems } from './config/problems/config-problems.ts'
import { updateProblems } from './config/problems/update-problems.ts'
import { zoneProblemsOfShoot } from './config/problems/zone-problems.ts'
import {
  type DesiredInfrastructure,
  offeredZones,
  type ShootFacts,
  workerProblems,
} from './desired-infrastructure.ts'
import { desiresIpv6 } from './network/network.ts'
import type { NetworkReads } from './network/reads.ts'
import { hasSuffix, zoneKey } from './state.ts'
import { subnetKinds } from './tags.ts'

/** Checks the object and its Secret by themselves. Throws a `CodedError`. */
export const checkInfrastructure = async ({
  region,
  providerConfig,
  secret,
}: {
  readonly region: string
  readonly providerConfig?: unknown
  readonly secret: Secret | undefined
}): Promise<void> => {
  const problems = formProblems('spec.region', region, formats.region)
  if (problems.length > 0) throw refusal(problems)
  refuseConfig(configProblems(readConfig(providerConfig), 'step'))
  if (secret !== undefined) await readCredentials(secret)
}

/**
 * Checks a config for this shoot (docs/contract/provider-aws.md#rules-for-the-config). Throws a `CodedError` if it has
 * problems.
 *
 * @param state decoded, as stored
 */
export const checkForShoot = (
  config: InfrastructureConfig,
  { region, shoot }: { readonly region: string; readonly shoot: ShootFacts },
  state: State,
): void => {
  const pools = workerProblems(shoot)
  if (pools.length > 0) throw refusal(pools)
  const { ipFamilies } = shoot.networking
  const isThere = ({ name }: ConfigZone) => hasSuffix(state, name)
  refuseConfig([
    ...zoneProblemsOfShoot(config, ipFamilies === undefined || ipFamilies.includes('IPv4'), isThere),
    ...cidrProblems(config, shoot.networking),
    ...cloudProfileProblems(config, offeredZones(shoot, region), isThere),
  ])
}

/**
 * Checks for forbidden changes of a config and problems of the user's resources in it
 * (docs/contract/provider-aws.md#checks-in-the-account). Throws a `CodedError`.
 */
export const checkInAccount = async ({
  stored,
  nodes,
  ...input
}: {
  readonly cloud: AwsCloud
  readonly signal: AbortSignal
  readonly desired: DesiredInfrastructure
  readonly config: InfrastructureConfig
  readonly reads: NetworkReads
  readonly read: Read<AwsCloud>
  /** The state of `read`. */
  readonly state: State
  readonly now: Timestamp
  /** Decoded, as stored. */
  readonly stored: State
  /** The CIDR of the shoot's nodes. */
  readonly nodes: string | undefined
}): Promise<void> => {
  const { desired } = input
  refuseConfig(await changeProblems({ ...input, state: stored }))
  refuseConfig(
    await accountProblems({
      ...input,
      clusterName: desired.clusterName,
      ipv6: desiresIpv6(desired),
      nodes,
      isMissing: (zone, kind) =>
        stored[zoneKey(zone, subnetKinds[kind].stateKey)] === undefined &&
        (kind !== 'workers' || desired.ipFamilies.includes('IPv4')),
    }),
  )
}

/**
 * Parses the `spec.providerConfig` of an object. Throws a `CodedError` that names the fields.
 *
 * @param options.lenient ignores unknown fields, because they do not matter for a deletion
 */
export const readConfig = (
  providerConfig: unknown,
  options: { readonly lenient?: boolean } = {},
): InfrastructureConfig => {
  const decoded = decodeConfig(providerConfig, options)
  if (!decoded.ok) throw configError(decoded.problems)
  return decoded.config
}

/** Throws if there are problems. Their paths are relative to the config. */
const refuseConfig = (problems: readonly Problem[]): void => {
  if (problems.length > 0) throw configError(problems)
}

const configError = (problems: readonly Problem[]): CodedError =>
  refusal(
    problems.map(({ path, message }) => ({
      path: path === '' ? 'spec.providerConfig' : `spec.providerConfig.${path}`,
      message,
    })),
  )

/** Returns problems with full paths as an error. */
const refusal = (problems: readonly Problem[]): CodedError => configurationProblem(formatProblems(problems))

interface ChangeInput {
  readonly desired: DesiredInfrastructure
  readonly state: State
  readonly config: InfrastructureConfig
  /** The reads of the plan. This check adds no read to them. */
  readonly reads: NetworkReads
  readonly read: Read<AwsCloud>
}

/**
 * Returns the differences to the last applied config that are not allowed
 * (docs/contract/provider-aws.md#rules-for-the-config). Without admission, only this check prevents such a change from
 * replacing resources in use.
 */
const changeProblems = async ({
  desired,
  state,
  config,
  reads,
  read,
}: ChangeInput): Promise<readonly Problem[]> => {
  // Nothing was created yet.
  if (!Object.values(state).some(value => /^[a-z]+-[0-9a-f]+$/.test(value))) return []
  const [vpcs, subnets, groups] = await Promise.all([
    read(reads.vpcs),
    read(reads.subnets),
    read(reads.securityGroups),
  ])
  return updateProblems(appliedConfig({ desired, state, config, vpcs, subnets, groups }), config)
}
