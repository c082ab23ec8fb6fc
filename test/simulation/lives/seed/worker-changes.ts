import type { CloudName } from '../../points/base-worlds.ts'
import type { Spec } from '../../points/subjects.ts'

export type SpecChange = readonly [name: string, change: (spec: Spec) => Spec]

type Pool = Spec & { readonly name: string }

export const poolsOf = (spec: Spec): readonly Pool[] => (spec.pools ?? []) as readonly Pool[]

/** Changes the first pool. */
const first =
  (change: (pool: Pool) => Spec) =>
  (spec: Spec): Spec => ({
    ...spec,
    pools: poolsOf(spec).map((pool, index) => (index === 0 ? { ...pool, ...change(pool) } : pool)),
  })

const between = (minimum: number, maximum: number) => first(() => ({ minimum, maximum }))
const either = (field: string, one: unknown, other: unknown) =>
  first(pool => ({ [field]: JSON.stringify(pool[field]) === JSON.stringify(one) ? other : one }))

/** gardenlet names the Secret of the nodes by what replaces machines. */
const rolled = (spec: Spec): Spec => ({
  ...spec,
  pools: poolsOf(spec).map(pool => {
    const { machineType, volume, kubernetesVersion, nodeAgentSecretName } = pool
    const [name = ''] = String(nodeAgentSecretName).split('.')
    const text = JSON.stringify([machineType, volume, kubernetesVersion])
    const changed = ['.small', '80Gi', '1.34.1'].flatMap((part, index) =>
      text.includes(part) ? [index] : [],
    )
    return { ...pool, nodeAgentSecretName: [name, ...changed].join('.') }
  }),
})
const roll = (field: string, one: unknown, other: unknown): SpecChange => [
  'roll',
  spec => rolled(either(field, one, other)(spec)),
]

/** A second zone with the subnet of the first one. */
const zoned = (spec: Spec): Spec => {
  const status = JSON.parse(JSON.stringify(spec.infrastructureProviderStatus ?? {}))
  const subnets = status.vpc?.subnets
  const nodes = subnets?.find((subnet: { purpose: string }) => subnet.purpose === 'nodes')
  if (nodes !== undefined && !subnets.some(({ zone }: { zone: string }) => zone.endsWith('b')))
    subnets.push({ ...nodes, zone: 'eu-west-1b' })
  const changed = either('zones', ['eu-west-1a'], ['eu-west-1a', 'eu-west-1b'])(spec)
  return { ...changed, infrastructureProviderStatus: status }
}

const added = (spec: Spec): Spec => {
  const [pool, second] = poolsOf(spec)
  return second !== undefined
    ? { ...spec, pools: [pool] }
    : { ...spec, pools: [pool, { ...pool, name: 'more', minimum: 1, maximum: 2 }] }
}

const ofAll: readonly SpecChange[] = [
  ['limits', between(1, 3)],
  ['limits', between(2, 4)],
  ['limits', between(3, 3)],
  ['limits', between(2, 2)],
  ['rename', either('name', 'all', 'new')],
  ['rename', either('name', 'new', 'all')],
  ['add', added],
  ['add', added],
  roll('kubernetesVersion', '1.33.3', '1.34.1'),
  ['strategy', first(() => ({ maxSurge: 0, maxUnavailable: 1 }))],
  ['labels', first(() => ({ labels: { example: 'label' } }))],
]

const smallTypes = { aws: 't3.small', openstack: 'm1.small' } as const

export const workerChanges = (cloud: CloudName): readonly SpecChange[] =>
  cloud === 'local'
    ? ofAll
    : [
        ...ofAll,
        ...Array<SpecChange>(4).fill(roll('machineType', 'm5.large', smallTypes[cloud])),
        roll('volume', { type: 'gp3', size: '50Gi' }, { type: 'gp3', size: '80Gi' }),
        ['zones', zoned],
        ['zones', zoned],
      ]
