import { isDeepStrictEqual } from 'node:util'
import { canonicalQuantity, wholeQuantity } from '../../../../../shared/contract/quantity.ts'
import { type Problem, problemsInEach, shown, shownNames } from '../../../../../shared/decode/problems.ts'
import { when } from '../../../../../shared/lists/when.ts'
import { messageOf } from '../../../../../shared/text/message-of.ts'
import { isInPlace } from '../../../../../shared/worker/worker.ts'
import { decodeStrictly } from '../../../../../terraform-free-infra/openstack/account/config/config.ts'
import { type OpenStackWorkerConfig, workerConfigSchema } from '../config/worker-config.ts'
import type { OpenStackPoolToCheck } from './pool-to-check.ts'

/**
 * Returns all problems of a pool of a shoot and its WorkerConfig, for admission (docs/contract/workers-openstack.md#rules-for-a-pool). Paths begin at the pool.
 *
 * @param policies `serverGroupPolicies` of the CloudProfile
 */
export const poolProblems = (pool: OpenStackPoolToCheck, policies: readonly string[]): readonly Problem[] => {
  const { zones, volume, providerConfig } = pool
  if ((zones ?? []).length === 0)
    return [{ path: 'zones', message: 'expected at least one zone, found none', kind: 'required' }]
  return [
    ...when(volume?.type && !volume.size, {
      path: 'volume.type',
      message: 'expected a volume size beside a volume type, found none',
      kind: 'forbidden' as const,
    }),
    ...(providerConfig === undefined || providerConfig === null ? [] : configProblems(pool, policies)),
  ]
}

const configProblems = (pool: OpenStackPoolToCheck, policies: readonly string[]): readonly Problem[] => {
  let config: OpenStackWorkerConfig
  try {
    config = decodeStrictly(workerConfigSchema, pool.providerConfig)
  } catch (error) {
    return [{ path: 'providerConfig', message: messageOf(error) }]
  }
  return [
    ...policyProblems(config, pool, policies),
    ...nodeTemplateProblems(config),
    ...labelProblems(config, pool),
    ...securityGroupProblems(config),
  ].map(problem => ({ ...problem, path: `providerConfig.${problem.path}` }))
}

const policyProblems = (
  { serverGroup }: OpenStackWorkerConfig,
  { zones }: OpenStackPoolToCheck,
  policies: readonly string[],
): readonly Problem[] => {
  if (serverGroup === undefined) return []
  const { policy } = serverGroup
  const path = 'serverGroup.policy'
  if (policy === '') return [{ path, message: 'expected a text that is not empty, found none' }]
  if (!policies.includes(policy))
    return [
      {
        path,
        message: `expected a server group policy of the cloud profile (${shownNames(policies) || 'it has none'}), found ${shown(policy)}`,
      },
    ]
  return when(policy === 'affinity' && (zones ?? []).length > 1, {
    path,
    message: 'expected another policy: affinity is not possible with more than one zone',
    kind: 'forbidden' as const,
  })
}

const nodeTemplateProblems = ({ nodeTemplate }: OpenStackWorkerConfig): readonly Problem[] => [
  ...problemsInEach(
    Object.entries(nodeTemplate?.capacity ?? {}).filter(([name]) => ['cpu', 'gpu', 'memory'].includes(name)),
    ([name, value]) =>
      when(wholeQuantity(value) < 0n, {
        path: `nodeTemplate.capacity.${name}`,
        message: `expected at least 0, found ${shown(value)}`,
      }),
  ),
  ...problemsInEach(Object.entries(nodeTemplate?.virtualCapacity ?? {}), ([name, value]) =>
    // In canonical form, a fraction is written in thousandths or smaller units.
    when(wholeQuantity(value) < 0n || /[mun]$|e-/.test(canonicalQuantity(value)), {
      path: `nodeTemplate.virtualCapacity[${JSON.stringify(name)}]`,
      message: `expected a whole number of at least 0, found ${shown(value)}`,
    }),
  ),
]

/** Names and values become metadata of servers and ports. */
const labelProblems = (
  { machineLabels }: OpenStackWorkerConfig,
  { labels }: OpenStackPoolToCheck,
): readonly Problem[] => {
  const seen = new Set<string>()
  return problemsInEach(machineLabels, ({ name, value }, index) => {
    const path = `machineLabels[${index}].name`
    const isTwice = seen.has(name)
    seen.add(name)
    return [
      ...nameProblems(path, name),
      ...nameProblems(`machineLabels[${index}].value`, value),
      ...when(isTwice, {
        path,
        message: `expected each name only once, found ${shown(name)} again`,
        kind: 'duplicate' as const,
      }),
      ...when(!isTwice && labels && Object.hasOwn(labels, name), {
        path,
        message: `expected a name that is no label of the pool, found ${shown(name)}`,
      }),
    ]
  })
}

const nameProblems = (path: string, text: string): readonly Problem[] => [
  ...when(text === '', { path, message: 'expected a text that is not empty, found none' }),
  ...when(text.length > 255, {
    path,
    message: `expected at most 255 characters, found ${text.length}`,
  }),
  ...when(/[{}[\]\n]/.test(text), {
    path,
    message: `expected a text without brackets, braces and line breaks, found ${shown(text)}`,
  }),
]

const securityGroupProblems = ({
  additionalSecurityGroups: groups,
}: OpenStackWorkerConfig): readonly Problem[] =>
  problemsInEach(groups, (name, index) => {
    const path = `additionalSecurityGroups[${index}]`
    if (name === '')
      return [{ path, message: 'expected the name of a security group, found none', kind: 'required' }]
    return when(groups.indexOf(name) < index, {
      path,
      message: `expected each security group only once, found ${shown(name)} again`,
    })
  })

/**
 * Returns the forbidden changes of a pool. Zones may only be added at the end. A pool that is updated in place must not
 * change its WorkerConfig and its data volumes. Paths begin at the pool.
 */
export const poolChangeProblems = (
  before: OpenStackPoolToCheck,
  after: OpenStackPoolToCheck,
): readonly Problem[] => [
  ...when(!(before.zones ?? []).every((zone, index) => after.zones?.[index] === zone), {
    path: 'zones',
    message: `expected ${(before.zones ?? []).join(', ')} first, in this order; new zones must be at the end`,
  }),
  ...(isInPlace(after) ? (['providerConfig', 'dataVolumes'] as const) : [])
    .filter(field => !isDeepStrictEqual(before[field] ?? null, after[field] ?? null))
    .map(path => ({ path, message: 'expected no change because the pool is updated in place' })),
]
