import * as z from 'zod'
import type { StepContext, StepResult } from '../../../../shared/lifecycle/lifecycle.ts'
import { isNotFound } from '../../../../terraform-free-infra/openstack/account/openstack.ts'
import { type ContainerPage, containerNameProblems, pageSize, type SwiftContainer } from './container.ts'

const progressSchema = z.object({
  deleted: z.int().min(0),
  passFrom: z.int().min(0),
  after: z.string().nullish(),
})

/** The progress of a deletion. Swift's list is authoritative: without the progress, a pass only starts again. */
interface RemovalProgress {
  /** Number of deleted objects. */
  readonly deleted: number
  /** Their number when the current pass began. */
  readonly passFrom: number
  /** Every object up to this one was processed in this pass. */
  readonly after?: string | null | undefined
}

const progressOf = (state: unknown): RemovalProgress =>
  z.object({ progress: progressSchema }).safeParse(state).data?.progress ?? { deleted: 0, passFrom: 0 }

/** The time of a step, in ms. Then another step continues. */
const stepTimeMs = 15_000

/** The wait before the next step continues, in ms. */
const nextMs = 1_000

/** Returns true if a former step has begun to delete objects. */
export const hasBegun = (state: unknown): boolean => progressOf(state).deleted > 0

/**
 * Deletes all objects with a prefix, page by page, and holds only one page in memory. A list of Swift may be late, so
 * only a pass that deletes nothing is the last. Returns undefined after it, or if there is no container, and the result
 * of a step that must continue.
 */
export const removeObjects = async (
  container: SwiftContainer,
  prefix: string,
  {
    object,
    clock,
    log,
  }: Pick<StepContext, 'clock' | 'log'> & { readonly object: { readonly status?: unknown } },
): Promise<StepResult | undefined> => {
  // Nothing was ever stored there. In a URL, such a name would mean something else.
  if (containerNameProblems('', container.name).length > 0) return undefined
  const until = clock.now() + stepTimeMs
  const warned = new Set<string>()
  let { deleted, passFrom, after } = progressOf(Object(object.status).state)
  try {
    for (;;) {
      const page = await container.list(prefix, after ?? undefined)
      for (const warning of warningsOf(page).filter(one => !warned.has(one))) {
        warned.add(warning)
        log.warn(warning, { container: container.name, prefix, history: page.history })
      }
      if (page.entries.length > 0) deleted += await container.deleteObjects(page.entries)
      if (page.entries.length === pageSize) after = page.entries.at(-1)?.name
      else if (deleted === passFrom) return undefined
      else {
        after = null
        passFrom = deleted
      }
      if (clock.now() >= until)
        return {
          kind: 'continue',
          afterMs: nextMs,
          // The number of objects is unknown. Half after 20,000.
          progress: 1 + Math.floor((89 * deleted) / (deleted + 20_000)),
          description: `Deleting the objects${prefix === '' ? '' : ` under ${prefix}`} of container ${container.name}: ${deleted} deleted`,
          status: { state: { progress: { deleted, passFrom, after } } },
        }
    }
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** The data that a deletion leaves. Only a user knows if something else needs them. */
const warningsOf = ({ entries, history }: ContainerPage): readonly string[] => [
  ...(history === undefined
    ? []
    : ['Swift moves deleted objects to the container of X-History-Location; delete them there']),
  ...(entries.some(({ slo_etag }) => slo_etag !== undefined)
    ? ['the segments of static large objects may be in another container; delete them there']
    : []),
]
