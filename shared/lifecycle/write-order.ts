/** Coordinates a health check with the steps of its object. */
export interface CheckWriter {
  /**
   * Runs the work once no step of the object is running in this process, or once the signal aborts. `isStale`: a step
   * has run since the check started, so the object has changed.
   */
  readonly write: <T>(work: (isStale: boolean) => Promise<T>, signal: AbortSignal) => Promise<T>
}

/**
 * Orders the writes of steps and health checks to an object in this process. Both lock their writes to the version that they
 * read, so concurrent writes would conflict. Steps do not wait for each other: the claim of the object decides between them.
 */
export interface WriteOrder {
  readonly step: <T>(key: string, work: () => Promise<T>) => Promise<T>
  readonly check: <T>(key: string, work: (writer: CheckWriter) => Promise<T>) => Promise<T>
}

interface ObjectWorks {
  readonly steps: Set<Promise<unknown>>
  readonly checks: Set<{ isStale: boolean }>
  /** The running write of a check. */
  readonly writes: Set<Promise<unknown>>
}

export const createWriteOrder = (): WriteOrder => {
  /** The objects with a running step or check. */
  const objects = new Map<string, ObjectWorks>()
  const worksOf = (key: string): ObjectWorks => {
    const works = objects.get(key) ?? { steps: new Set(), checks: new Set(), writes: new Set() }
    objects.set(key, works)
    return works
  }
  const leave = (key: string, { steps, checks }: ObjectWorks) => {
    if (steps.size + checks.size === 0) objects.delete(key)
  }
  return {
    step: async (key, work) => {
      const works = worksOf(key)
      const stepping = ended(works.writes).then(work)
      works.steps.add(stepping)
      for (const check of works.checks) check.isStale = true
      try {
        return await stepping
      } finally {
        works.steps.delete(stepping)
        leave(key, works)
      }
    },
    check: async (key, work) => {
      const works = worksOf(key)
      const check = { isStale: works.steps.size > 0 }
      works.checks.add(check)
      const writeInOrder: CheckWriter['write'] = async (write, signal) => {
        while (works.steps.size > 0 && !signal.aborted) await untilAborted(ended(works.steps), signal)
        const writing = write(check.isStale)
        works.writes.add(writing)
        try {
          return await writing
        } finally {
          works.writes.delete(writing)
        }
      }
      try {
        return await work({ write: writeInOrder })
      } finally {
        works.checks.delete(check)
        leave(key, works)
      }
    },
  }
}

const ended = async (works: ReadonlySet<Promise<unknown>>): Promise<void> => {
  await Promise.allSettled(works)
}

const untilAborted = async (work: Promise<void>, signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => resolve(), { once: true })
  await Promise.race([work, promise])
}
