import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { readObjects } from '../../cli/plan/read-objects.ts'
import { definition } from '../../functions/aws/infrastructure/function.ts'
import { accountContents } from '../../functions/aws/infrastructure/testing/account-contents.ts'
import { createAws, simulatedAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { startSeed } from '../../sandbox/seed/seed.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { Infrastructure } from '../../shared/contract/objects.ts'
import type { GroupVersionResource, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import type { AwsRequestHandler } from '../../terraform-free-infra/aws/account/aws.ts'
import { isReady } from '../e2e/harness.ts'
import type { Made } from './account.ts'
import { stillnessOn } from './passing-time.ts'

const resources: Readonly<Record<string, GroupVersionResource>> = {
  Namespace: { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
  Secret: { group: '', version: 'v1', plural: 'secrets', namespaced: true },
  Cluster: { group: 'extensions.gardener.cloud', version: 'v1alpha1', plural: 'clusters', namespaced: false },
  Infrastructure: kinds.Infrastructure.resource,
}

export const gallery = new URL('../../examples/infrastructure/', import.meta.url)

/** Returns the objects of an example, with the ids of the user's resources. */
export const exampleObjects = async (
  name: string,
  made: Made = new Map(),
): Promise<readonly KubernetesObject[]> => {
  let text = await readFile(new URL(`${name}.yaml`, gallery), 'utf8')
  for (const [id, real] of made) text = text.replaceAll(id, real)
  return readObjects('-', Readable.from([text]))
}

/**
 * Starts a seed with realistic AWS delays, a clock that advances once all work waits, and gardenlet's actions for one
 * Infrastructure.
 */
export const startGallery = async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const real = { durations: { scale: 1 } }
  const aws = createAws({ clock, ec2: real, iam: real, efs: real, elb: real })
  let live: Infrastructure | undefined
  let onStatus = (_: NonNullable<Infrastructure['status']>): void => {}
  const stillness = stillnessOn(clock, () =>
    JSON.stringify({ notes: live?.metadata.annotations, ...live?.status }),
  )
  const requestHandler = stillness.watch(aws.requestHandler)
  const checks = new Set<() => void>()
  const seed = await startSeed({
    functions: [{ ...definition, file: 'functions/aws/infrastructure/function.ts' }],
    kinds: ['Infrastructure'],
    clock,
    clouds: { aws: simulatedAws({ ...aws, requestHandler }) },
    observe: event => {
      stillness.note()
      if (event.part !== 'object' || !event.resource.startsWith('infrastructures.')) return
      live = event.deleted ? undefined : (event.object as Infrastructure)
      if (live?.status !== undefined) onStatus(live.status)
      for (const check of checks) check()
    },
  })
  const until = (what: string, holds: () => boolean): Promise<void> => {
    const held = new Promise<void>((resolve, reject) => {
      const check = () => {
        try {
          if (!holds()) return
          resolve()
        } catch (error) {
          // The condition runs during a write, which must not fail because of it.
          reject(error)
        }
        checks.delete(check)
      }
      checks.add(check)
      check()
    })
    return stillness.pass(what, held)
  }
  const object = (): Infrastructure => {
    if (live === undefined) throw new Error('there is no Infrastructure')
    return live
  }
  const key = () => ({ name: object().metadata.name, namespace: object().metadata.namespace ?? '' })
  const timestamp = () => new Date(clock.now()).toISOString().replace('Z', '000001Z')
  const settled = () =>
    live !== undefined &&
    dueWork('Infrastructure', live, clock.now()).kind === 'none' &&
    isReady(live as Parameters<typeof isReady>[0])
  const untilReady = async () => {
    await until('the infrastructure to be ready', () => {
      const failed = live?.status?.lastError
      if (failed) throw new Error(`the infrastructure failed: ${failed.description}`)
      return settled()
    })
    return object()
  }
  const change = (what: object) =>
    stillness.pass(
      'a patch',
      seed.kubernetes.patch(kinds.Infrastructure.resource, key(), {
        metadata: {
          annotations: { [annotations.operation]: 'reconcile', [annotations.timestamp]: timestamp() },
        },
        ...what,
      }),
    )
  const actions = () => aws.calls.all().map(({ action }) => action)
  return {
    aws,
    clock,
    seed,
    handler: aws.requestHandler as AwsRequestHandler,
    object,
    /** Sets the listener for every status written from now on. */
    onStatus: (listener: typeof onStatus) => {
      onStatus = listener
    },
    contents: () => accountContents(aws.requestHandler),
    create: async (objects: readonly KubernetesObject[]) => {
      for (const made of objects) {
        const resource = resources[made.kind]
        if (resource === undefined) throw new Error(`an example holds a ${made.kind}`)
        await stillness.pass('a create', seed.kubernetes.create(resource, made))
      }
      return untilReady()
    },
    /** Requests another reconcile, with a new config if given. */
    reconcile: async (providerConfig?: object) => {
      aws.calls.clear()
      await change(providerConfig === undefined ? {} : { spec: { providerConfig } })
      return untilReady()
    },
    /** Changes the shoot: gardenlet updates the Cluster first. */
    changeShoot: (shoot: object) =>
      stillness.pass(
        'a patch',
        seed.kubernetes.patch(
          resources.Cluster as GroupVersionResource,
          { name: key().namespace },
          { spec: { shoot } },
        ),
      ),
    remove: async () => {
      aws.calls.clear()
      const confirmed = {
        [annotations.deletionConfirmation]: 'true',
        [annotations.timestamp]: timestamp(),
      }
      await stillness.pass(
        'a deletion',
        seed.kubernetes
          .patch(kinds.Infrastructure.resource, key(), { metadata: { annotations: confirmed } })
          .then(() => seed.kubernetes.delete(kinds.Infrastructure.resource, key())),
      )
      await until('the infrastructure to be gone', () => live === undefined)
    },
    actions,
    /** Returns the calls that change resources. */
    writes: () => actions().filter(action => !/^(?:Describe|Get|List)/.test(action)),
    close: seed.close,
  }
}
export type Gallery = Awaited<ReturnType<typeof startGallery>>
