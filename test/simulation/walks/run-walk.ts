import { compareWorlds, worldExceptions } from '../../../sandbox/simulation/oracle/oracle.ts'
import {
  createRandom,
  createSimulatedShoots,
  deterministically,
  simulatedHttp,
} from '../../../sandbox/simulation/simulation.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import { exceptions } from './oracle/exceptions.ts'
import type { Stop, Walk } from './space/walk.ts'
import type { LoadedSpace } from './space/walk-space.ts'
import { type ChangeResult, createWorld, type World } from './world/world.ts'

export interface WalkResult {
  /** One word per stop: `succeeded`, `failed`, `refused`. */
  readonly stops: readonly string[]
  /** Empty if all holds. */
  readonly problems: readonly string[]
}

/**
 * Goes a walk, and compares its end with a new world of the same configuration. A walk that ends with a refusal or a
 * failure returns to the last configuration that was admitted and, if the space does not say what is, succeeded.
 */
export const runWalk = async (space: LoadedSpace, name: string, walk: Walk): Promise<WalkResult> => {
  const random = createRandom(name)
  const shoots = createSimulatedShoots({ clock: systemClock, random })
  try {
    // Keys of a real length take seconds.
    return await deterministically({ random, request: simulatedHttp(shoots.transportOf) }, async () =>
      runWalkNow(space.shoot === undefined ? space : await withShoot(space, space.shoot, shoots), name, walk),
    )
  } finally {
    await shoots.close()
  }
}

/** Adds the kubeconfig of an API server to the objects of a space. */
const withShoot = async (
  space: LoadedSpace,
  namespace: string,
  shoots: ReturnType<typeof createSimulatedShoots>,
): Promise<LoadedSpace> => {
  const { kubeconfig } = await shoots.open(namespace)
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'gardener-internal', namespace },
    stringData: { kubeconfig },
  }
  return { ...space, objects: configuration => space.objects(configuration).toSpliced(-1, 0, secret) }
}

const runWalkNow = async (space: LoadedSpace, name: string, walk: Walk): Promise<WalkResult> => {
  const [first] = walk
  if (first === undefined) return { stops: [], problems: [] }
  const stops: string[] = []
  const problems: string[] = []
  const world = createWorld(space, space.objects(first.configuration))
  const visit = async ({ configuration, trouble }: Stop): Promise<ChangeResult> => {
    const result = await world.change(
      space.objects(configuration),
      trouble === undefined ? undefined : space.troubles?.[trouble],
    )
    stops.push(result.kind === 'succeeded' ? 'succeeded' : `${result.kind}: ${result.text}`)
    if (result.kind !== 'refused') problems.push(...result.surprises)
    return result
  }
  try {
    let end: Stop | undefined
    let isThere = false
    for (const stop of walk) {
      const admission = space.admission?.(end?.configuration, stop.configuration)
      if (admission === 'impossible') {
        stops.push('impossible')
        continue
      }
      const result = await visit(stop)
      isThere = result.kind === 'succeeded' && stop.trouble === undefined
      // A step, too, refuses what admission refuses, except for rules of admission alone.
      const isAdmitted = admission === 'admitted' || (admission === 'refused' && hasPlan(result))
      if (result.kind === 'succeeded' || isAdmitted) end = { configuration: stop.configuration }
    }
    if (end === undefined) return { stops, problems }
    if (!isThere && (await visit(end)).kind !== 'succeeded') problems.push(`cannot return: ${stops.at(-1)}`)
    problems.push(...(await endProblems(space, name, world, end)))
    return { stops, problems }
  } finally {
    world.close()
  }
}

const hasPlan = (result: ChangeResult): boolean => result.kind === 'failed' && result.hasPlan

const endProblems = async (
  space: LoadedSpace,
  name: string,
  world: World,
  { configuration }: Stop,
): Promise<readonly string[]> => {
  const allowed = exceptions.filter(({ spaces }) => spaces.includes(name))
  const walkedObject = await world.live()
  const end = allowed.reduce((all, { fresh }) => fresh?.(all, walkedObject) ?? all, configuration)
  const objects = space.objects(end)
  const fresh = createWorld(space, objects)
  try {
    const created = await fresh.change(objects)
    if (created.kind !== 'succeeded')
      return [`the end of the walk cannot be created: ${created.kind}: ${created.text}`]
    const plan = await world.plan().catch((error: unknown) => ({ differs: true, json: messageOf(error) }))
    return [
      ...compareWorlds(world.rows(), fresh.rows(), { exceptions: [...worldExceptions, ...allowed] }),
      ...(plan.differs ? [`the plan is not empty: ${JSON.stringify(plan.json)}`] : []),
      ...(await world.unrest()),
    ]
  } finally {
    fresh.close()
  }
}
