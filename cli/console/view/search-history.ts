import type { ShootHistory } from '../model/history.ts'

/** A call that a search has found. */
export interface FoundCall {
  readonly shoot: string
  readonly at: number
  /** The object of its step. */
  readonly id: string
  readonly about: string
}

/** Returns the calls of a shoot that contain all words, the newest first. */
export const searchHistory = (
  { shoot, steps }: Pick<ShootHistory, 'shoot' | 'steps'>,
  text: string,
  limit: number,
): readonly FoundCall[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found: FoundCall[] = []
  for (const { object, at, ms, calls } of steps.toReversed())
    for (const { name, requestId = '', error = '', args = '', status } of calls) {
      if (found.length >= limit) return found
      const searched = `${requestId} ${name} ${error} ${args} ${object}`.toLowerCase()
      if (words.every(word => searched.includes(word)))
        found.push({ shoot, at: at + ms, id: object, about: `${name} ${error || status}` })
    }
  return found
}
