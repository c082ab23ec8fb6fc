import * as z from 'zod'
import type { Problem } from '../../../shared/contract/problems.ts'
import type { ShootNetworking } from './config/problems/cidr-problems.ts'

/** What its infrastructure has to know of a shoot. What is unknown has a form of the provider, and is read here. */
export interface ShootFacts {
  readonly uid: string | undefined
  readonly networking: ShootNetworking
  /** `spec.networking.providerConfig` */
  readonly networkConfig: unknown
  /** `providerConfig` of each pool of workers. */
  readonly workerConfigs: readonly unknown[]
  /** `spec` of its CloudProfile. */
  readonly cloudProfile: unknown
}

const overlay = z.looseObject({ overlay: z.looseObject({ enabled: z.boolean().nullish() }).nullish() })

/** Whether pods have a network of their own over that of the nodes; yes where the shoot says nothing. */
export const hasOverlay = ({ networkConfig }: ShootFacts): boolean =>
  overlay.safeParse(networkConfig).data?.overlay?.enabled ?? true

const workerConfig = z.looseObject({
  networkInterfaces: z.array(z.looseObject({ type: z.string().nullish() })).nullish(),
})

const poolsOf = ({ workerConfigs }: ShootFacts) =>
  workerConfigs.map(config => workerConfig.safeParse(config ?? {}))

/** Whether a worker pool has network interfaces for EFA, whose traffic passes no rule but the group's own. */
export const hasEfa = (shoot: ShootFacts): boolean =>
  poolsOf(shoot).some(({ data }) =>
    (data?.networkInterfaces ?? []).some(({ type }) => type === 'efa' || type === 'efa-only'),
  )

/** Worker pools of which nobody can say whether they have network interfaces for EFA. */
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

/** The zones that the CloudProfile offers in a region; undefined: it does not know the region. */
export const offeredZones = (
  { cloudProfile }: Pick<ShootFacts, 'cloudProfile'>,
  region: string,
): readonly string[] | undefined => {
  const { data } = profile.safeParse(cloudProfile ?? {})
  const known = data?.regions?.find(({ name }) => name === region)
  return known && (known.zones ?? []).map(({ name }) => name)
}
