/** How the run of a graph of actions ended for one of them. */
export type Ended<R> =
  | { readonly kind: 'ran'; readonly result: R }
  /** Something that it waits for did not get done. */
  | { readonly kind: 'blocked' }
  /** There was no time left to begin it. */
  | { readonly kind: 'postponed' }

interface Node {
  readonly sentence: string
  readonly after: readonly string[]
}

export interface Schedule<N extends Node, R> {
  /** In an order in which each comes after those it waits for. */
  readonly actions: readonly N[]
  /** How many run side by side. */
  readonly concurrency: number
  readonly mayStart: () => boolean
  /** Rejects only when nothing more may be begun. */
  readonly run: (action: N) => Promise<R>
  readonly isDone: (result: R) => boolean
}

/**
 * Runs each action as soon as all those that it waits for are done. When `run` rejects, nothing more is begun, and the
 * rejection is passed on once those under way have ended.
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
