import { describe, expect, test } from 'vitest'
import { definition as gardenlinux } from '../../functions/gardenlinux/operatingsystemconfig/function.ts'
import { definition as local } from '../../functions/local/operatingsystemconfig/function.ts'
import { definition as suseChost } from '../../functions/suse-chost/operatingsystemconfig/function.ts'
import { definition as ubuntu } from '../../functions/ubuntu/operatingsystemconfig/function.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { operatingSystemCases } from '../beside/beside.ts'
import { sha256, withoutTexts } from '../recorded/digests.ts'
import { readStored } from '../recorded/stored.ts'
import { seedWith } from './testing/seed.ts'

interface LastOperation {
  readonly type?: string
  readonly state?: string
  readonly progress?: number
  readonly description?: string
}

interface RecordedStep {
  readonly action: string
  readonly patch?: object
  readonly writeCount: number
  readonly lastOperations: readonly LastOperation[]
  readonly result: KubernetesObject | null
  readonly userDataSecret?:
    | { readonly digest: string; readonly metadata: object; readonly type: string }
    | string
}

interface Recording {
  readonly input: {
    readonly cluster: KubernetesObject
    readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>
    readonly object: KubernetesObject
  }
  readonly steps: readonly RecordedStep[]
}

const definitions = { gardenlinux, local, 'suse-chost': suseChost, ubuntu }

/** The sequence of what a watch has seen, without the bookkeeping. */
const distinct = (operations: readonly LastOperation[]): readonly string[] =>
  operations
    .filter(({ type }) => type !== undefined)
    .map(({ type, state, progress, description }) => `${type} ${state} ${progress} ${description}`)
    .filter((text, index, all) => text !== all[index - 1])

/**
 * A recorded defect that is not repeated: after a restore the Go backends run once more (docs/contract/small-
 * kinds.md#defects), as a reconcile or a restore.
 */
const untilRestored = (operations: readonly string[]): readonly string[] =>
  operations.slice(0, operations.findIndex(text => text.startsWith('Restore Succeeded')) + 1)

const comparable = (object: KubernetesObject | undefined, operation: LastOperation | undefined) => {
  if (object === undefined) return null
  const { metadata, spec, status } = object as KubernetesObject & { spec: object; status?: object }
  const { annotations = {}, finalizers = [], labels, name, namespace } = metadata
  const known = Object.keys(annotations).filter(key => key !== 'trellis.gardener.cloud/step')
  return {
    metadata: { annotations: known, finalizers, labels, name, namespace },
    spec,
    status: { ...status, lastOperation: operation },
  }
}

const operationOf = (object: KubernetesObject | undefined): LastOperation | undefined =>
  operationOfStatus(object?.status)

const operationOfStatus = (status: unknown = {}): LastOperation | undefined => {
  const { lastOperation } = status as { readonly lastOperation?: LastOperation }
  if (lastOperation === undefined) return undefined
  const { type, state, progress, description } = lastOperation
  return { type, state, progress, description } as LastOperation
}

describe.each(operatingSystemCases)('%s', name => {
  const { input, steps } = readStored(`operatingsystemconfig/${name}.json`) as Recording
  const flavour = name.replace(/-(?:provision|reconcile)$/, '') as keyof typeof definitions

  test('step by step: the same objects, the same bytes of user data, the same states', async () => {
    const seed = await seedWith(definitions[flavour], input)
    const seen: LastOperation[] = []
    let digest: string | undefined
    for (const recorded of steps) {
      const { action, patch } = recorded
      if (action === 'migrate' || action === 'restore') {
        if (action === 'restore') {
          await seed.remove()
          expect(await seed.userData(), 'the Secret goes with its owner').toBeUndefined()
          await seed.recreate({ 'gardener.cloud/operation': 'wait-for-state' })
          expect(await seed.step(), 'nobody waits in vain for a state').toBeUndefined()
        }
        await seed.ask(action)
      } else if (action === 'delete') await seed.remove()
      else if (action !== 'create') await seed.ask('reconcile', patch)
      seen.length = 0
      const before = operationOf(await seed.object())
      if (before) seen.push(before)
      seed.writes.length = 0
      seed.states.length = 0
      await seed.step()
      seen.push(...seed.states.flatMap(lastOperation => operationOfStatus({ lastOperation }) ?? []))
      expect(await seed.step(), `${action}: one step is enough`).toBeUndefined()

      const expected = distinct(recorded.lastOperations)
      const ours = distinct(seen)
      if (action === 'restore') expect(ours, action).toEqual(untilRestored(expected))
      // A deletion leaves no state behind that a patch would return.
      else if (action === 'delete') expect(expected.slice(-ours.length + 1), action).toEqual(ours.slice(1))
      else expect(ours.slice(-2), action).toEqual(expected.slice(-2))

      const after = await seed.object()
      const restored = action === 'restore' ? operationOf(after) : undefined
      expect(withoutTexts(comparable(after, operationOf(after))), action).toEqual(
        recorded.result === null
          ? null
          : comparable(recorded.result, restored ?? operationOf(recorded.result)),
      )

      const { userDataSecret } = recorded
      if (typeof userDataSecret === 'object' && action !== 'delete') {
        const made = await seed.userData()
        digest = userDataSecret.digest
        expect(sha256(made?.text ?? ''), action).toBe(digest)
        const { ownerReferences, name: secretName } = made?.secret.metadata ?? { ownerReferences: [] }
        expect({ type: made?.secret.type, name: secretName, ownerReferences }).toEqual({
          type: userDataSecret.type,
          ...userDataSecret.metadata,
          ownerReferences: [
            {
              ...(userDataSecret.metadata as { ownerReferences: readonly object[] }).ownerReferences[0],
              uid: after?.metadata.uid,
            },
          ],
        })
      } else if (typeof userDataSecret === 'string') {
        const [, like] = /^<as after (.+)>$/.exec(userDataSecret) ?? []
        const first = steps.find(one => one.action === like)?.userDataSecret
        expect(sha256((await seed.userData())?.text ?? ''), action).toBe(
          typeof first === 'object' ? first.digest : digest,
        )
      }
      if (action === 'idle')
        expect(
          seed.writes.map(({ verb, resource }) => `${verb} ${resource}`),
          `Go: ${recorded.writeCount} writes`,
        ).toEqual([
          'patch operatingsystemconfigs',
          'patch operatingsystemconfigs/status',
          'patch operatingsystemconfigs/status',
        ])
    }
    seed.close()
  })
})

test('every operating system is recorded', () => {
  const expected = Object.keys(definitions).flatMap(flavour => [
    `${flavour}-provision`,
    `${flavour}-reconcile`,
  ])
  expect(operatingSystemCases.toSorted()).toEqual(expected.toSorted())
})
