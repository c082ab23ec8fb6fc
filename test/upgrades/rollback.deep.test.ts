import { beforeAll, describe, expect, test } from 'vitest'
import { asleep, during, wholeShoot } from '../../sandbox/providers/aws/demo/whole-shoot.ts'
import { loadSimulatedCode } from '../../sandbox/simulation/simulation.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import { parseStepAnnotation } from '../../shared/contract/step-annotation.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { type DueWork, dueWork } from '../../shared/lifecycle/lifecycle.ts'
import { continueWorld, removeAll } from './continue-world.ts'
import { type Readers, readersOf } from './readers.ts'
import { earlier } from './versions.ts'

/** An object of an extension kind after a write, and the time of the write. */
interface Written {
  readonly kind: KindName
  readonly object: KubernetesObject
  readonly at: number
}

const kindByResource: ReadonlyMap<string, KindName> = new Map(
  Object.entries(kinds).map(([kind, { resource }]) => [
    `${resource.plural}.${resource.group}`,
    kind as KindName,
  ]),
)

/** Returns all that this version writes into objects in the life of a shoot. */
const writtenInLife = async (): Promise<readonly Written[]> =>
  continueWorld(await loadSimulatedCode(), undefined, async one => {
    const written: Written[] = []
    const { first, second, clock, cloud } = one.world
    for (const { server } of [first, second])
      server.store.subscribe((resource, { type, entry: { object } }) => {
        const kind = kindByResource.get(resource)
        if (kind !== undefined && type !== 'DELETED') written.push({ kind, object, at: clock.now() })
      })
    await one.gardenlet(async of => {
      await of.prepareSeed()
      await of.reconcile(wholeShoot)
      await of.openBastion(wholeShoot, { name: 'cli', cidr: '198.51.100.9/32' })
      await of.closeBastion(wholeShoot, 'cli')
    })
    cloud.aws.faults.add({
      service: 'ec2',
      times: 5,
      effect: { kind: 'error', code: 'AccessDenied', status: 403 },
    })
    await one.gardenlet(async of => {
      await of.reconcile(asleep(wholeShoot))
      await of.reconcile(wholeShoot)
    })
    const state = await one.gardenlet(of => of.migrate(during(wholeShoot, 'Migrate')))
    await one.gardenlet(of => of.forget(wholeShoot))
    await one.gardenlet(of => of.restore(during(wholeShoot, 'Restore'), state))
    await removeAll(one, wholeShoot)
    return written
  })

describe('the objects that this version writes in the life of a shoot', () => {
  let written: readonly Written[] = []
  beforeAll(async () => {
    written = await writtenInLife()
  })

  test('have claims and waits of each operation, failures, and states of Infrastructures', () => {
    const seen = new Set(
      written.flatMap(({ object }) => stepOf(object) ?? []).map(step => `${step.operation} ${step.phase}`),
    )
    expect([...seen].toSorted()).toEqual(
      ['delete', 'migrate', 'reconcile', 'restore'].flatMap(of => [`${of} claimed`, `${of} waiting`]),
    )
    const states = new Set(written.map(({ object }) => Object(object.status).lastOperation?.state))
    expect([...states]).toEqual(expect.arrayContaining(['Processing', 'Succeeded', 'Error']))
    expect(written.filter(isInfrastructureWithState).length).toBeGreaterThan(10)
  })

  describe.each([...earlier])('after a rollback to version $name', ({ name }) => {
    let readers: Readers
    beforeAll(async () => {
      readers = await readersOf(name)
    })

    test('each step annotation is understood', () => {
      const misread = written.filter(
        ({ object }) =>
          textOf(object) !== undefined && readers.parseStepAnnotation(textOf(object)) === undefined,
      )
      expect(misread.map(({ object }) => textOf(object))).toEqual([])
    })

    test('each object has the same due work, so no request is lost', () => {
      const differences = written.flatMap(({ kind, object, at }) => {
        const [one, other] = [readers.dueWork(kind, object, at), dueWork(kind, object, at)].map(textOfWork)
        if (one === other || isBeforeItsSuccess(object)) return []
        return [`${kind} ${object.metadata.name}: ${one}, and ${other} of this version: ${textOf(object)}`]
      })
      expect(differences).toEqual([])
    })

    test('a wait that precedes its success ends at its time, or with the next request', () => {
      const early = written.filter(({ object }) => isBeforeItsSuccess(object))
      expect(early.length).toBeGreaterThan(0)
      for (const { kind, object, at } of early) {
        const asked = object.metadata.annotations?.[annotations.operation]
        const work = readers.dueWork(kind, object, at)
        expect(work.kind).toBe(asked === undefined ? 'later' : 'emit')
        if (work.kind === 'later') expect(work.at).toBe(Date.parse(stepOf(object)?.until ?? ''))
      }
    })

    test('each state of an Infrastructure is read with the same ids', () => {
      for (const { object } of written.filter(isInfrastructureWithState)) {
        const { state } = Object(object.status) as { readonly state: { readonly data?: object } }
        const ids = Object.entries(state.data ?? {}).filter(([, id]) => id !== '' && id !== null)
        expect(readers.stateCodec.decode(state)).toEqual(Object.fromEntries(ids))
      }
    })
  })
})

const textOf = ({ metadata }: KubernetesObject): string | undefined =>
  metadata.annotations?.[annotations.step]
const stepOf = (object: KubernetesObject) => parseStepAnnotation(textOf(object))

const isInfrastructureWithState = ({ kind, object }: Written): boolean =>
  kind === 'Infrastructure' && Object(object.status).state !== undefined

/** Only this version writes a wait before its success. Earlier ones see the wait, and this one the claim. */
const isBeforeItsSuccess = (object: KubernetesObject): boolean => stepOf(object)?.claimedUntil !== undefined

const textOfWork = (work: DueWork): string =>
  work.kind === 'none'
    ? 'none'
    : [work.kind, work.operation, work.reason, work.attempt, work.kind === 'later' && work.at].join(' ')
