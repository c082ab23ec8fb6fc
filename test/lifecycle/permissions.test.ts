import { describe, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import { type KindName, kindNames, kinds } from '../../shared/contract/kinds.ts'
import {
  eventResource,
  namesOf,
  type Permission,
  permittedKubernetes,
} from '../../shared/kubernetes/kubernetes.ts'
import { kindRules, lifecyclePermissions } from '../../shared/lifecycle/lifecycle.ts'
import { type HarnessOptions, harness } from './harness.ts'

/** Returns the outcomes of an object's steps with only these permissions. */
const life = async (kind: KindName, permissions: readonly Permission[], options: HarnessOptions = {}) => {
  const seed = await harness(kind, options)
  const permitted = permittedKubernetes(seed.kubernetes, permissions)
  const ends: unknown[] = []
  const step = async () => {
    const outcome = await seed.step({}, permitted)
    ends.push('how' in outcome ? outcome.how : outcome)
  }
  await seed.create()
  await step()
  await seed.remove()
  await step()
  return ends
}

/** Without a Cluster, the namespace must show that it is that of a shoot. */
const elsewhere: HarnessOptions = { shoot: 'none' }

const confirmed = { [annotations.forceDeletionConfirmation]: 'true' }

/** Returns the outcome of a forced deletion, which leaves something behind, with only these permissions. */
const forcedEnd = async (kind: KindName, permissions: readonly Permission[]) => {
  const seed = await harness(kind, { shoot: { metadata: { annotations: confirmed } } })
  await seed.create({
    finalizers: [kinds[kind].finalizer(kind === 'Extension' ? 'test' : undefined)],
    annotations: confirmed,
  })
  await seed.remove()
  const outcome = await seed.step({}, permittedKubernetes(seed.kubernetes, permissions))
  const { items } = await seed.kubernetes.list(eventResource, {})
  return [items.length === 1 && 'how' in outcome ? outcome.how : 'unreported']
}

const lives = async (kind: KindName, permissions: readonly Permission[]) => [
  await life(kind, permissions),
  ...(kindRules[kind].forceDelete === 'none' ? [] : [await forcedEnd(kind, permissions)]),
  ...(kindRules[kind].cluster === 'in-shoot-namespace' ? [await life(kind, permissions, elsewhere)] : []),
]

const without = (permissions: readonly Permission[], left: string): readonly Permission[] =>
  permissions.map(permission => ({
    ...permission,
    verbs: permission.verbs.filter(verb => !namesOf({ ...permission, verbs: [verb] }).includes(left)),
  }))

describe.each(kindNames)('the permissions of the lifecycle for %s', kind => {
  const permissions = lifecyclePermissions(kind)

  test('suffice to reconcile and delete an object, also by force', async () => {
    expect(new Set((await lives(kind, permissions)).flat())).toEqual(new Set(['succeeded']))
  })

  test.each(permissions.flatMap(namesOf))('are all necessary: %s', async name => {
    const ends = await lives(kind, without(permissions, name))
    expect(ends.flat().some(end => end !== 'succeeded')).toBe(true)
  })
})

test('are limited to the kind', () => {
  expect(lifecyclePermissions('BackupBucket').flatMap(namesOf)).toEqual([
    `get ${kinds.BackupBucket.resource.plural}.extensions.gardener.cloud`,
    'patch backupbuckets.extensions.gardener.cloud',
    'patch backupbuckets.extensions.gardener.cloud/status',
    'get secrets',
    'patch secrets',
  ])
})

test('are empty for an ignored Secret', () => {
  expect(lifecyclePermissions('DNSRecord').flatMap(namesOf)).toContain('get secrets')
  expect(lifecyclePermissions('DNSRecord', { ignoresSecret: true }).flatMap(namesOf)).not.toContain(
    'get secrets',
  )
})
