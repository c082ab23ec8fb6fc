import * as z from 'zod'
import type { Problem } from '../../../shared/contract/problems.ts'
import type { Cluster } from '../../../shared/contract/schemas/cluster.ts'
import type { ShootNetworking } from '../../../terraform-free-infra/aws/infrastructure/config/problems/cidr-problems.ts'

/** The networks of the shoot. Null is absent, as Go reads it. */
export const networkingOf = (cluster: Cluster | undefined): ShootNetworking => {
  const networking = cluster?.spec.shoot.spec?.networking
  return {
    ipFamilies: networking?.ipFamilies ?? undefined,
    nodes: networking?.nodes || undefined,
    pods: networking?.pods || undefined,
    services: networking?.services || undefined,
  }
}

const overlay = z.looseObject({ overlay: z.looseObject({ enabled: z.boolean().nullish() }).nullish() })

/** Whether pods have a network of their own over that of the nodes; yes where the shoot says nothing. */
export const hasOverlay = (cluster: Cluster | undefined): boolean =>
  overlay.safeParse(cluster?.spec.shoot.spec?.networking?.providerConfig).data?.overlay?.enabled ?? true

const workerConfig = z.looseObject({
  networkInterfaces: z.array(z.looseObject({ type: z.string().nullish() })).nullish(),
})

const poolsOf = (cluster: Cluster | undefined) =>
  (cluster?.spec.shoot.spec?.provider?.workers ?? []).map(({ providerConfig }) =>
    workerConfig.safeParse(providerConfig ?? {}),
  )

/** Whether a worker pool has network interfaces for EFA, whose traffic passes no rule but the group's own. */
export const hasEfa = (cluster: Cluster | undefined): boolean =>
  poolsOf(cluster).some(({ data }) =>
    (data?.networkInterfaces ?? []).some(({ type }) => type === 'efa' || type === 'efa-only'),
  )

/** Worker pools of which nobody can say whether they have network interfaces for EFA. */
export const workerProblems = (cluster: Cluster | undefined): readonly Problem[] =>
  poolsOf(cluster).flatMap(({ success }, index) =>
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
export const offeredZones = (cluster: Cluster | undefined, region: string): readonly string[] | undefined => {
  const { data } = profile.safeParse(cluster?.spec.cloudProfile.spec ?? {})
  const known = data?.regions?.find(({ name }) => name === region)
  return known && (known.zones ?? []).map(({ name }) => name)
}
