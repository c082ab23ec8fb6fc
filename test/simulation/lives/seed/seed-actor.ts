import {
  createExtensionObjects,
  type DesiredExtensionObject,
  dropMachineObjects,
  machineState,
} from '../../../../sandbox/gardenlet/gardenlet.ts'
import { broken, runningCode, type World } from '../../../../sandbox/simulation/simulation.ts'
import { annotations } from '../../../../shared/contract/constants.ts'
import { clusterKind, kinds } from '../../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../../shared/contract/machine-kinds.ts'
import { deployments } from '../../../../shared/kubernetes/core-resources.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import type { Spec } from '../../points/subjects.ts'
import { clusterPatch, firstInput, type SeedCast, type ShootInput } from './seed-cast.ts'
import type { SeedPeople } from './seed-people.ts'
import type { SeedAct } from './seed-plan.ts'

const minute = 60_000
/** gardenlet gives up an attempt after this time. */
const attemptMs = 15 * minute
/**
 * When the troubles have ended, every request succeeds within this time: waits for machines have limits, and are
 * repeated.
 */
const boundMs = 45 * minute

const controller = 'machine-controller-manager'
const apiServer = 'kube-apiserver'

/** gardenlet and a user for one object of a complete shoot. */
export interface SeedActor {
  play(acts: readonly SeedAct[]): Promise<void>
  /** Waits for the last request without another one. Returns what prevents it. */
  rest(): Promise<readonly string[]>
  finish(end: 'present' | 'deleted'): Promise<readonly string[]>
  wanted(): { readonly spec: Spec; readonly input: ShootInput }
}

export const createSeedActor = (
  world: World,
  { changes, inputs }: SeedCast,
  desired: DesiredExtensionObject,
  people: () => SeedPeople,
  begun = firstInput,
): SeedActor => {
  const { clock, first, trace } = world
  const { kubernetes } = first
  const { kind, key } = desired
  const { namespace = '' } = key
  const isWorker = kind === 'Worker'
  const id = `${kind} ${key.name}`
  let { spec } = desired
  let input = begun
  let stage: 'present' | 'absent' | 'busy' = 'present'
  let isMigrated = false
  let state: unknown
  /** Nothing has happened to the machines since the last success, and no one but gardenlet has acted. */
  let isCalm = true
  let isAlone = true
  /** The number of gardenlet's requests. */
  let requested = 0
  let attempt = new AbortController()
  let working: Promise<string | undefined> = Promise.resolve(undefined)
  const problems: string[] = []

  const within = async (
    milliseconds: number,
    work: (objects: ReturnType<typeof createExtensionObjects>) => Promise<unknown>,
  ): Promise<string | undefined> => {
    attempt.abort(new Error('the next request'))
    const own = new AbortController()
    attempt = own
    const cancel = clock.after(milliseconds, () => own.abort(new Error('the time is over')))
    try {
      await work(createExtensionObjects({ kubernetes, clock, signal: own.signal, pollMs: 1_000 }))
      return undefined
    } catch (error) {
      return messageOf(error)
    } finally {
      cancel()
    }
  }
  const scale = async (name: string, replicas: number): Promise<void> => {
    const found = await kubernetes.get(deployments, { name, namespace })
    if (found !== undefined) await kubernetes.patch(deployments, { name, namespace }, { spec: { replicas } })
  }
  const machines = async (): Promise<readonly string[]> => {
    if (!isWorker) return []
    const { items } = await kubernetes.list(machineKinds.Machine.resource, { namespace })
    return items
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata }) => metadata.name)
  }
  const putCluster = async (): Promise<void> => {
    if (namespace === '' || kind === 'BackupEntry') return
    await kubernetes.patch(clusterKind.resource, { name: namespace }, clusterPatch(input))
    if (!input.sleeps) await scale(apiServer, 1)
  }
  const apply = async (ms: number): Promise<string | undefined> => {
    // A migration retains objects in the shoot, so nothing else may change before the restore has ended.
    if (isWorker || !isMigrated) stage = 'present'
    const { sleeps } = input
    const failure = await within(ms, async objects => {
      await putCluster()
      // In the new seed, gardenlet creates the API server of a sleeping shoot without replicas.
      if (isMigrated && sleeps) await scale(apiServer, 0)
      if (isWorker && isMigrated) await scale(controller, 0)
      else if (!sleeps) await scale(controller, 1)
      await (isMigrated ? objects.restore({ ...desired, spec }, state) : objects.apply({ ...desired, spec }))
      if (isMigrated && isWorker)
        await kubernetes.patch(
          kinds[kind].resource,
          key,
          { status: { state: null } },
          { subresource: 'status' },
        )
      if (sleeps) await scale(apiServer, 0)
    })
    if (failure === undefined) isMigrated = false
    return failure
  }
  /** It has the state and the request to restore it, and a function has seen that: its deletion cannot be missed. */
  const isRestored = async (): Promise<boolean> => {
    const found = await kubernetes.get(kinds[kind].resource, key)
    const isAsked =
      Object(Object(found?.status).lastOperation).type === 'Restore' ||
      found?.metadata.annotations?.[annotations.operation] === 'restore'
    return isAsked && (found?.metadata.finalizers ?? []).length > 0
  }
  const remove = async (ms: number): Promise<string | undefined> => {
    if (isMigrated && !(await isRestored())) await apply(ms)
    isMigrated = false
    stage = 'busy'
    const failure = await within(ms, async objects => {
      await scale(apiServer, 1)
      await scale(controller, 1)
      await objects.remove(desired)
    })
    stage = failure === undefined ? 'absent' : 'present'
    return failure
  }
  /** The machine objects leave with the Worker. If that is given up in the middle, a part of them remains. */
  const leave = async (pick: number): Promise<void> => {
    const { MachineDeployment, MachineSet } = machineKinds
    if (!isWorker) return
    const kept = pick % 3 === 0 ? [MachineDeployment] : pick % 3 === 1 ? [] : [MachineDeployment, MachineSet]
    const bare = await Promise.all(
      kept.map(async ({ resource }) => ({ resource, all: await kubernetes.list(resource, { namespace }) })),
    )
    await dropMachineObjects(kubernetes, namespace)
    for (const { resource, all } of bare)
      for (const { status: _, metadata, ...object } of all.items) {
        const { name, labels, annotations: noted } = metadata
        await kubernetes.create(resource, {
          ...object,
          metadata: { name, namespace, ...(labels && { labels }), ...(noted && { annotations: noted }) },
        })
      }
  }
  const move = async (pick: number): Promise<string | undefined> => {
    if (stage === 'absent') return undefined
    stage = 'busy'
    const before = isCalm && isAlone && !input.sleeps ? await machines() : []
    if (!isMigrated) {
      const failure = await within(boundMs, async objects => {
        if (isWorker) await scale(controller, 0)
        await objects.migrate(desired, 'until-migrated')
        state = isWorker
          ? await machineState(kubernetes, namespace)
          : (await objects.get(desired))?.status?.state
        isMigrated = true
        await objects.remove(desired)
        await leave(pick)
      })
      if (failure !== undefined) {
        stage = 'present'
        return failure
      }
      // A remainder is older than the next Worker.
      await clock.sleep(pick % 2 === 0 || isWorker ? 2_000 : 0)
    }
    // A restore that is given up is repeated, unless the object is deleted meanwhile.
    const requests = requested
    if (pick % 4 === 0) await apply(3_000)
    if (requested !== requests) return undefined
    const failure = await apply(attemptMs)
    stage = 'present'
    const after = new Set(await machines())
    const lost = before.filter(name => !after.has(name))
    if (failure === undefined && lost.length > 0)
      problems.push(
        broken('nothing is doubled', `the move of ${id} replaced the machines ${lost.join(', ')}`),
      )
    return failure
  }
  const act = ({ do: what, pick }: SeedAct): Promise<string | undefined> => {
    trace.note('people', `${what} (${pick}) ${id}`)
    const isMove = what === 'move'
    if (what !== 'people') requested += 1
    if (!isMove && what !== 'people') isCalm = false
    const done = (failure: string | undefined) => {
      if (failure === undefined && what !== 'people' && stage === 'present') isCalm = true
      return failure
    }
    switch (what) {
      case 'change':
        if (!isMigrated || isWorker) spec = changes[pick % changes.length]?.[1](spec) ?? spec
        return apply(attemptMs).then(done)
      case 'input':
        input = inputs[pick % inputs.length]?.[1](input) ?? input
        return apply(attemptMs).then(done)
      case 'reconcile':
        return apply(attemptMs).then(done)
      case 'delete':
        return remove(boundMs)
      case 'move':
        return move(pick)
      case 'people':
        isAlone = false
        return people()
          .act(pick)
          .then(() => undefined)
    }
  }
  const untilDue = async ({ after }: SeedAct, settled: Promise<unknown>): Promise<void> => {
    if (after === 'the request') return
    const waits: Promise<unknown>[] = [settled, clock.sleep(attemptMs)]
    let end = (): void => {}
    if (after !== 'the success') {
      let left = Number(after.replace('write ', ''))
      waits.push(
        new Promise<void>(resolve => {
          end = first.server.store.subscribe((_, { entry, previous }) => {
            if (runningCode.getStore()?.step?.kind !== kind) return
            const isClaim =
              entry.object.metadata.name === key.name &&
              entry.object.metadata.annotations?.[annotations.step] !==
                previous?.object.metadata.annotations?.[annotations.step]
            left -= 1
            if (after === 'the claim' ? isClaim : left <= 0) resolve()
          })
        }),
      )
    }
    await Promise.race(waits)
    end()
  }

  return {
    play: async acts => {
      working = apply(attemptMs)
      for (const one of acts) {
        await untilDue(one, working)
        if (one.delayMs > 0) await clock.sleep(one.delayMs)
        const mayEnd = one.do === 'delete' && isMigrated && (await isRestored())
        if (stage === 'busy' && one.do !== 'people' && !mayEnd) await working
        const next = act(one)
        working = one.do === 'people' ? Promise.all([working, next]).then(([failure]) => failure) : next
      }
      await (stage === 'busy' ? working : Promise.race([working, clock.sleep(attemptMs)]))
    },
    rest: async () => {
      await Promise.race([working, clock.sleep(attemptMs)])
      if (isMigrated || stage !== 'present') return []
      // The request waits still, or its attempt was given up: it must succeed without another one.
      const limit = clock.now() + boundMs
      for (;;) {
        const { metadata, status } = Object(await kubernetes.get(kinds[kind].resource, key))
        const { lastOperation, observedGeneration } = Object(status)
        const isDone =
          metadata === undefined ||
          (metadata.annotations?.[annotations.operation] === undefined &&
            lastOperation?.state === 'Succeeded' &&
            observedGeneration === metadata.generation)
        if (isDone) return problems.splice(0)
        if (clock.now() > limit)
          return [
            broken(
              'every wait has a reason, every operation an end',
              `the last request of ${id} does not succeed: ${JSON.stringify(status?.lastOperation)} ${status?.lastError?.description ?? ''}`,
            ),
          ]
        await clock.sleep(5_000)
      }
    },
    finish: async end => {
      trace.note('people', `the end of ${id}: ${end}`)
      const failure = end === 'deleted' ? await remove(boundMs) : await apply(boundMs)
      return failure === undefined
        ? problems.splice(0)
        : [...problems, broken('every wait has a reason, every operation an end', failure)]
    },
    wanted: () => ({ spec, input }),
  }
}
