import { definition } from '../../functions/aws/infrastructure/function.ts'
import { accountContents } from '../../functions/aws/infrastructure/testing/account-contents.ts'
import { shuffledAws } from '../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import type { Infrastructure } from '../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { AwsRequestHandler } from '../../terraform-free-infra/aws/account/aws.ts'
import { exampleObjects as readExampleObjects, startRunningSeed } from '../running-seed.ts'
import type { Made } from './account.ts'

export const gallery = new URL('../../examples/infrastructure/', import.meta.url)

/** Returns the objects of an example, with the ids of the user's resources. */
export const exampleObjects = (name: string, made?: Made): Promise<readonly KubernetesObject[]> =>
  readExampleObjects(`infrastructure/${name}.yaml`, made)

/** Starts a seed with realistic AWS delays and one Infrastructure. */
export const startGallery = async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const real = { durations: { scale: 1 } }
  const aws = shuffledAws({ clock, ec2: real, iam: real, efs: real, elb: real })
  let onStatus = (_: NonNullable<Infrastructure['status']>): void => {}
  const seed = await startRunningSeed({
    functions: [{ ...definition, file: 'functions/aws/infrastructure/function.ts' }],
    kinds: ['Infrastructure'],
    clock,
    aws,
    observe: event => {
      if (event.part !== 'object' || event.object.kind !== 'Infrastructure' || event.deleted) return
      const { status } = event.object as Infrastructure
      if (status !== undefined) onStatus(status)
    },
  })
  const object = (): Infrastructure => {
    const [live] = seed.all<Infrastructure>('Infrastructure')
    if (live === undefined) throw new Error('there is no Infrastructure')
    return live
  }
  const key = () => ({ name: object().metadata.name, namespace: object().metadata.namespace ?? '' })
  const untilReady = async () => {
    await seed.untilReady('Infrastructure', key().name)
    return object()
  }
  const actions = () => aws.calls.all().map(({ action }) => action)
  return {
    aws,
    clock,
    seed: seed.seed,
    handler: aws.requestHandler as AwsRequestHandler,
    object,
    /** Sets the listener for every status written from now on. */
    onStatus: (listener: typeof onStatus) => {
      onStatus = listener
    },
    contents: () => accountContents(aws.requestHandler),
    create: async (objects: readonly KubernetesObject[]) => {
      await seed.create(...objects)
      await seed.until('an Infrastructure', () => seed.all('Infrastructure')[0])
      return untilReady()
    },
    /** Requests another reconcile, with a new config if given. */
    reconcile: async (providerConfig?: object) => {
      aws.calls.clear()
      await seed.ask('Infrastructure', key(), 'reconcile', providerConfig && { spec: { providerConfig } })
      return untilReady()
    },
    /** Changes the shoot: gardenlet updates the Cluster first. */
    changeShoot: (shoot: object) => seed.changeShoot(key().namespace, shoot),
    remove: async () => {
      aws.calls.clear()
      const { name } = key()
      await seed.remove('Infrastructure', key())
      await seed.untilGone('Infrastructure', name)
    },
    actions,
    /** Returns the calls that change resources. */
    writes: () => actions().filter(action => !/^(?:Describe|Get|List)/.test(action)),
    close: seed.close,
  }
}
export type Gallery = Awaited<ReturnType<typeof startGallery>>
