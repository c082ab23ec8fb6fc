import { createExtensionObjects } from '../../../sandbox/gardenlet/gardenlet.ts'
import type { Store } from '../../../sandbox/kubernetes/kubernetes.ts'
import type { AwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import { rowText } from '../../../sandbox/simulation/oracle/oracle.ts'
import { broken, objectName, runningCode, type World } from '../../../sandbox/simulation/simulation.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import { clusterKind, kinds } from '../../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import type { Part, PartStage, Spec } from './cast.ts'
import type { Act, Trouble } from './plan-life.ts'
import { reachable } from './plan-meetings.ts'

/** gardenlet, a user and people in the account, for one object. */
export interface Actor {
  readonly part: Part
  play(acts: readonly Act[]): Promise<void>
  /** Requests the end and waits for it. Returns what prevents it. */
  finish(end: 'present' | 'deleted'): Promise<readonly string[]>
  /** The spec that was requested last. */
  spec(): Spec
  /** It was deleted by force, and never created again. */
  isReleased(): boolean
}

const minute = 60_000
/** gardenlet gives up an attempt after this time. */
const attemptMs = 15 * minute
/** When the troubles have ended, every request succeeds within this time. */
const boundMs = 100 * minute
/** A forced deletion ends within this time, whatever its cloud does (docs/contract/lifecycle.md#force-delete). */
const forcedMs = 60 * minute

/** Every list shows an accident after this time. */
const latestMs = 100_000

const forceDeletion = 'confirmation.gardener.cloud/force-deletion'

/** Confirms the forced deletion of a shoot as long as one of its objects needs that. */
export const createConfirmations = ({ first }: World<AwsSide>) => {
  const counts = new Map<string, number>()
  return async (name: string, change: 1 | -1): Promise<void> => {
    const count = (counts.get(name) ?? 0) + change
    counts.set(name, count)
    await first.kubernetes.patch(
      clusterKind.resource,
      { name },
      { spec: { shoot: { metadata: { annotations: { [forceDeletion]: count > 0 ? 'true' : null } } } } },
    )
  }
}

/** The parts that the actors of a life share. `writes` returns the number of writes of functions so far. */
export interface Surroundings {
  readonly writes: () => number
  readonly confirm: ReturnType<typeof createConfirmations>
  /** The access keys that a forced deletion has put out of reach. All parts in an account share them. */
  readonly outOfReach: Set<string>
  /** Called when an act begins. */
  readonly began: (what: Act['do'], own?: readonly Trouble[]) => void
  /** All calls see each write at once. */
  readonly isPrompt: boolean
}

export const createActor = (
  world: World<AwsSide>,
  part: Part,
  { writes, confirm, began, isPrompt, outOfReach }: Surroundings,
): Actor => {
  const { clock, first, trace, cloud } = world
  const { desired, home } = part
  const id = `${desired.kind} ${desired.key.name}`
  const { kind, key } = desired
  const ownName = objectName({ kind, name: key.name, namespace: key.namespace })
  let { spec } = desired
  let stage: PartStage = 'absent'
  let isReleased = false
  let isMigrated = false
  let state: unknown
  let isDisturbed = !isPrompt
  let complete: { readonly spec: string; readonly egress: string } | undefined
  let attempt = new AbortController()
  let working: Promise<unknown> = Promise.resolve()
  const isOwn = ({ kind: of, metadata: { name, namespace } }: KubernetesObject): boolean =>
    of === kind && name === key.name && namespace === key.namespace
  const problems: string[] = []
  const undos: (() => Promise<unknown>)[] = []

  const objectsOf = (signal: AbortSignal) =>
    createExtensionObjects({ kubernetes: first.kubernetes, clock, signal, pollMs: 1_000 })
  /** Runs until it succeeds or the time is over. */
  const within = async (
    milliseconds: number,
    work: (objects: ReturnType<typeof objectsOf>) => Promise<unknown>,
  ): Promise<string | undefined> => {
    attempt.abort(new Error('the next request'))
    const own = new AbortController()
    attempt = own
    const cancel = clock.after(milliseconds, () => own.abort(new Error('the time is over')))
    try {
      await work(objectsOf(own.signal))
      return undefined
    } catch (error) {
      return messageOf(error)
    } finally {
      cancel()
    }
  }
  const apply = async (ms: number): Promise<string | undefined> => {
    stage = 'present'
    isReleased = false
    const failure = await within(ms, objects =>
      isMigrated ? objects.restore({ ...desired, spec }, state) : objects.apply({ ...desired, spec }),
    )
    if (failure === undefined) {
      isMigrated = false
      await checkEgress()
    }
    return failure
  }
  /** Functions and people have changed nothing since a success with the same spec, so it had the same addresses. */
  const checkEgress = async (): Promise<void> => {
    const { status } = (await objectsOf(new AbortController().signal).get(desired)) ?? {}
    const found = { spec: JSON.stringify(spec), egress: JSON.stringify(Object(status).egressCIDRs) }
    if (!isDisturbed && complete?.spec === found.spec && complete.egress !== found.egress)
      problems.push(
        broken(
          'the live state is the wanted one',
          `${id} succeeded with egress ${complete.egress}, and the next time with ${found.egress}`,
        ),
      )
    complete = found
  }
  /** A deletion is not given up. */
  const remove = async (ms: number): Promise<string | undefined> => {
    stage = 'busy'
    const live = await objectsOf(new AbortController().signal).get(desired)
    const failure = await within(ms, objects => objects.remove(desired))
    // It had its state again, so nothing is left to restore.
    const isRestored =
      live?.metadata.annotations?.[annotations.operation] === 'restore' ||
      live?.status?.lastOperation?.type === 'Restore'
    if (failure === undefined && isRestored) isMigrated = false
    stage = failure === undefined ? 'absent' : 'present'
    return failure
  }
  /** Usually the account is out of reach, so a forced deletion must end without it. */
  const removeByForce = async (pick: number): Promise<void> => {
    const outage =
      pick === reachable
        ? () => {}
        : cloud.aws.faults.add({
            accessKeyId: home.keys.accessKeyID,
            times: null,
            effect:
              pick % 3 === 0 ? { kind: 'throttle' } : pick % 3 === 1 ? { kind: 'denied' } : { kind: 'drop' },
          })
    await confirm(home.namespace, 1)
    if (pick !== reachable) outOfReach.add(home.keys.accessKeyID)
    const failure = await remove(forcedMs)
    const isReachable = !outOfReach.has(home.keys.accessKeyID)
    if (failure !== undefined)
      problems.push(
        broken('every wait has a reason, every operation an end', `forced deletion of ${id}: ${failure}`),
      )
    isReleased = failure === undefined && !isReachable
    const left = isReachable ? cloud.contentsOf(owner => owner === ownName) : []
    for (const row of left) problems.push(broken('nothing is left', rowText(row)))
    outage()
    await confirm(home.namespace, -1)
  }
  const move = async (own: Act['with']): Promise<void> => {
    stage = 'busy'
    const failure = await within(attemptMs, async objects => {
      await objects.migrate(desired, 'until-migrated')
      state = (await objects.get(desired))?.status?.state
      isMigrated = true
      await objects.remove(desired)
    })
    stage = 'present'
    began('move', own)
    if (failure === undefined) await apply(attemptMs)
  }
  const changeUnseen = async (pick: number): Promise<void> => {
    const changes = part.unseen ?? part.changes
    const changed = changes[pick % Math.max(changes.length, 1)]?.(spec, world) ?? spec
    await first.kubernetes
      .patch(kinds[kind].resource, key, { spec: changed })
      .catch(error => trace.note('people', `failed: ${messageOf(error)}`))
  }
  const suffer = async (pick: number): Promise<void> => {
    try {
      const undo = await part.accidents[pick % Math.max(part.accidents.length, 1)]?.(world, stage)
      if (undo !== undefined) undos.push(undo)
      // A reconciliation does not repair an accident that no list shows yet.
      if (!isPrompt) undos.push(() => clock.sleep(latestMs))
    } catch (error) {
      trace.note('people', `failed: ${messageOf(error)}`)
    }
  }
  const act = ({ do: what, pick, with: own }: Act): Promise<unknown> => {
    trace.note('people', `${what} ${id}`)
    if (what !== 'move') began(what, own)
    if (what !== 'reconcile' && what !== 'change') complete = undefined
    if (what === 'accident') isDisturbed = true
    switch (what) {
      case 'change':
        spec = part.changes[pick % Math.max(part.changes.length, 1)]?.(spec, world) ?? spec
        return apply(attemptMs)
      case 'reconcile':
        return apply(attemptMs)
      case 'delete':
        return remove(boundMs)
      case 'delete by force':
        return removeByForce(pick)
      case 'move':
        return move(own)
      case 'unseen change':
        return changeUnseen(pick)
      case 'accident':
        return suffer(pick)
    }
  }
  const untilDue = async ({ after }: Act, settled: Promise<unknown>): Promise<void> => {
    if (after === 'the success') return void (await Promise.race([settled, clock.sleep(attemptMs)]))
    if (after === 'the request') return
    const ends: (() => void)[] = []
    const due = new Promise<void>(resolve => {
      if (after === 'the claim') {
        const { store } = first.server
        ends.push(store.subscribe((_, event) => isClaim(event) && isOwn(event.entry.object) && resolve()))
        return
      }
      const target = writes() + Number(after.replace('write ', ''))
      const isMet = ({ service, action }: { readonly service: string; readonly action: string }) =>
        after === `call ${service}:${action}` || writes() >= target
      ends.push(cloud.aws.calls.onCall(call => isMet(call) && resolve()))
    })
    await Promise.race([due, settled, clock.sleep(attemptMs)])
    for (const end of ends) end()
  }

  return {
    part,
    play: async acts => {
      working = part.isLast && desired.kind !== 'BackupBucket' ? Promise.resolve() : apply(attemptMs)
      for (const one of acts) {
        await untilDue(one, working)
        if (one.delayMs > 0) await clock.sleep(one.delayMs)
        // gardenlet does not request anything else during a deletion or a move.
        if (stage === 'busy' && one.do !== 'accident') await working
        const next = act(one)
        working = one.do === 'accident' ? Promise.all([working, next]) : next
      }
      // The rest of a deletion or a move is no part of the end.
      await (stage === 'busy' ? working : Promise.race([working, clock.sleep(attemptMs)]))
    },
    finish: async end => {
      trace.note('people', `the end of ${id}: ${end}`)
      for (const undo of undos.splice(0))
        await undo().catch(error => trace.note('people', `failed: ${messageOf(error)}`))
      if (isReleased && end === 'deleted') return problems
      if (isMigrated && end === 'deleted') await apply(boundMs)
      const failure = end === 'deleted' ? await remove(boundMs) : await apply(boundMs)
      return failure === undefined
        ? problems
        : [...problems, broken('every wait has a reason, every operation an end', failure)]
    },
    spec: () => spec,
    isReleased: () => isReleased,
  }
}

type StoreEvent = Parameters<Parameters<Store['subscribe']>[0]>[1]

/** A step begins. */
const isClaim = ({ entry, previous }: StoreEvent): boolean => {
  const step = entry.object.metadata.annotations?.[annotations.step]
  return (
    step !== previous?.object.metadata.annotations?.[annotations.step] &&
    step?.includes('"phase":"claimed"') === true
  )
}

/** Counts the writes of functions to the accounts. */
export const countWrites = ({ cloud: { aws } }: World<AwsSide>, isWrite: (action: string) => boolean) => {
  let count = 0
  aws.calls.onCall(({ action }) => {
    if (runningCode.getStore()?.step !== undefined && isWrite(action)) count += 1
  })
  return () => count
}
