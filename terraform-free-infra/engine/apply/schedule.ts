/** The end of one action in the run of a graph. */
export type Ended<R> =
  | { readonly kind: 'ran'; readonly result: R }
  /** A dependency was not done. */
  | { readonly kind: 'blocked' }
  /** There was no time to start it. */
  | { readonly kind: 'postponed' }

interface Node {
  readonly sentence: string
  readonly after: readonly string[]
}

export interface Schedule<N extends Node, R> {
  /** Sorted so that each action follows its dependencies. */
  readonly actions: readonly N[]
  /** The number of concurrent actions. */
  readonly concurrency: number
  readonly mayStart: () => boolean
  /** Rejects only when no further action may start. */
  readonly run: (action: N) => Promise<R>
  readonly isDone: (result: R) => boolean
}

/**
 * Runs each action as soon as all its dependencies are done. If `run` rejects, no further action starts, and the
 * rejection is rethrown once the running actions have ended.
 */
export const schedule = async <N extends Node, R>(
  input: Schedule<N, R>,
): Promise<ReadonlyMap<N, Ended<R>>> => {
  const ended = new Map<string, Ended<R>>()
  const running = new Map<string, Promise<void>>()
  const broken: unknown[] = []
  const isDone = (sentence: string): boolean => {
    const end = ended.get(sentence)
    return end?.kind === 'ran' && input.isDone(end.result)
  }
  const start = (action: N): void => {
    const end = async () => {
      try {
        ended.set(action.sentence, { kind: 'ran', result: await input.run(action) })
      } catch (error) {
        broken.push(error)
      }
      running.delete(action.sentence)
    }
    running.set(action.sentence, end())
  }

  for (;;) {
    for (const action of input.actions) {
      if (broken.length > 0 || running.size >= input.concurrency) break
      if (ended.has(action.sentence) || running.has(action.sentence)) continue
      if (action.after.some(sentence => ended.has(sentence) && !isDone(sentence))) {
        ended.set(action.sentence, { kind: 'blocked' })
      } else if (action.after.every(isDone)) {
        if (input.mayStart()) start(action)
        else ended.set(action.sentence, { kind: 'postponed' })
      }
    }
    if (running.size === 0) break
    await Promise.race(running.values())
  }
  if (broken.length > 0) throw broken[0]
  return new Map(input.actions.map(action => [action, ended.get(action.sentence) ?? { kind: 'blocked' }]))
}
