import * as z from 'zod'
import type { Problem } from '../../../shared/decode/problems.ts'
import type { ShootNetworking } from './config/problems/cidr-problems.ts'

/**
 * The facts about a shoot that its infrastructure needs. Fields of type `unknown` have a provider format and are parsed
 * here.
 */
export interface ShootFacts {
  readonly uid: string | undefined
  readonly networking: ShootNetworking
  /** `spec.networking.providerConfig` */
  readonly networkConfig: unknown
  /** The `providerConfig` of each worker pool. */
  readonly workerConfigs: readonly unknown[]
  /** The `spec` of its CloudProfile. */
  readonly cloudProfile: unknown
}

const overlay = z.looseObject({ overlay: z.looseObject({ enabled: z.boolean().nullish() }).nullish() })

/** Returns true if pods have an overlay network. Default: true. */
export const hasOverlay = ({ networkConfig }: ShootFacts): boolean =>
  overlay.safeParse(networkConfig).data?.overlay?.enabled ?? true

const workerConfig = z.looseObject({
  networkInterfaces: z.array(z.looseObject({ type: z.string().nullish() })).nullish(),
})

const poolsOf = ({ workerConfigs }: ShootFacts) =>
  workerConfigs.map(config => workerConfig.safeParse(config ?? {}))

/**
 * Returns true if a worker pool has network interfaces for EFA. Their traffic is only allowed by the group's rules for
 * itself.
 */
export const hasEfa = (shoot: ShootFacts): boolean =>
  poolsOf(shoot).some(({ data }) =>
    (data?.networkInterfaces ?? []).some(({ type }) => type === 'efa' || type === 'efa-only'),
  )

/**
 * Returns a problem for each worker pool with a config that does not show whether it has network interfaces for EFA.
 */
export const workerProblems = (shoot: ShootFacts): readonly Problem[] =>
  poolsOf(shoot).flatMap(({ success }, index) =>
    success
      ? []
      : [
          {
            path: `shoot.spec.provider.workers[${index}].providerConfig.networkInterfaces`,
            message: 'expected a list of objects with a type, found something else',
          },
        ],
  )

const profile = z.looseObject({
  regions: z
    .array(
      z.looseObject({
        name: z.string(),
        zones: z.array(z.looseObject({ name: z.string() })).nullish(),
      }),
    )
    .nullish(),
})

/** Returns the zones that the CloudProfile offers in a region, or undefined if it does not contain the region. */
export const offeredZones = (
  { cloudProfile }: Pick<ShootFacts, 'cloudProfile'>,
  region: string,
): readonly string[] | undefined => {
  const { data } = profile.safeParse(cloudProfile ?? {})
  const known = data?.regions?.find(({ name }) => name === region)
  return known && (known.zones ?? []).map(({ name }) => name)
}
