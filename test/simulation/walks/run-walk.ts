import type { Row } from './oracle/canonical.ts'
import { differences } from './oracle/differences.ts'
import { exceptions } from './oracle/exceptions.ts'
import type { Stop, Walk } from './space/walk.ts'
import type { LoadedSpace } from './space/walk-space.ts'
import { createWorld, type World } from './world/world.ts'

export interface WalkResult {
  /** One word per stop: `succeeded`, `failed`, `refused`. */
  readonly stops: readonly string[]
  /** Empty if all holds. */
  readonly problems: readonly string[]
}

/**
 * Goes a walk, and compares its end with a new world of the same configuration. A walk that ends with a failure returns
 * to its last success.
 */
export const runWalk = async (space: LoadedSpace, name: string, walk: Walk): Promise<WalkResult> => {
  const [first] = walk
  if (first === undefined) return { stops: [], problems: [] }
  const stops: string[] = []
  const problems: string[] = []
  const world = createWorld(space, space.objects(first.configuration))
  const visit = async ({ configuration, trouble }: Stop): Promise<boolean> => {
    const result = await world.change(
      space.objects(configuration),
      trouble === undefined ? undefined : space.troubles?.[trouble],
    )
    stops.push(result.kind === 'succeeded' ? 'succeeded' : `${result.kind}: ${result.text}`)
    if (result.kind !== 'refused') problems.push(...result.surprises)
    return result.kind === 'succeeded'
  }
  try {
    let last: Stop | undefined
    let isThere = false
    for (const stop of walk) {
      isThere = await visit(stop)
      if (isThere) last = { configuration: stop.configuration }
    }
    if (last === undefined) return { stops, problems }
    // A success may still be from a configuration with a trouble.
    if (!isThere || walk.at(-1)?.trouble !== undefined) {
      if (!(await visit(last))) problems.push(`cannot return to the last success: ${stops.at(-1)}`)
    }
    problems.push(...(await endProblems(space, name, world, last)))
    return { stops, problems }
  } finally {
    world.close()
  }
}

const endProblems = async (
  space: LoadedSpace,
  name: string,
  world: World,
  { configuration }: Stop,
): Promise<readonly string[]> => {
  const allowed = exceptions.filter(exception => exception.space === name)
  const walkedObject = await world.live()
  const end = allowed.reduce((all, { fresh }) => fresh?.(all, walkedObject) ?? all, configuration)
  const objects = space.objects(end)
  const fresh = createWorld(space, objects)
  try {
    const created = await fresh.change(objects)
    if (created.kind !== 'succeeded')
      return [`the end of the walk cannot be created: ${created.kind}: ${created.text}`]
    const [walked = [], made = []] = [world, fresh].map(one =>
      allowed.reduce<readonly Row[]>((rows, { row }) => (row ? rows.map(row) : rows), one.rows()),
    )
    const plan = await world.plan()
    return [
      ...differences(walked, made),
      ...(plan.differs ? [`the plan is not empty: ${JSON.stringify(plan.json)}`] : []),
      ...(await world.unrest()),
    ]
  } finally {
    fresh.close()
  }
}
