import { type AwsListOptions, pageSettings } from './list-options.ts'
import { isWalk, type ListRead, type Members, pageOf } from './list-pages.ts'
import { orderedPageOf } from './ordered-pages.ts'
import { orderedPagers, pagers } from './pagers.ts'
import { shuffled } from './shuffle.ts'

/** Returns the answer to a call, with its lists in the form of the options. */
export type AnswerLists = (action: string, input: Members, read: ListRead) => Promise<object>

/** Undefined if all lists are whole and in their usual order. */
export const createLists = ({ shuffleLists, pages }: AwsListOptions): AnswerLists | undefined => {
  const seed = pages?.seed ?? shuffleLists
  if (seed === undefined) return undefined
  const settings = pageSettings(pages, seed)
  let calls = 0
  const complete = new Map<string, boolean>()
  /** Returns the number of a new listing. One that omits nothing has a negative number. */
  const listingOf = (action: string, input: Members, number: number): number => {
    const request = `${action} ${JSON.stringify(input)}`
    const isComplete = !settings.omittedAgain && complete.get(request) === false
    complete.set(request, isComplete)
    return isComplete ? -number : number
  }

  const answer = async (action: string, input: Members, read: ListRead, number: number): Promise<Members> => {
    const pager = pagers[action]
    if (pager !== undefined && isWalk(pager, input))
      return await pageOf(pager, input, read, settings, listingOf(action, input, number))
    const ordered = orderedPagers[action]
    if (ordered !== undefined && pages !== undefined) {
      return await orderedPageOf(ordered, input, read, settings, number)
    }
    return await read(input)
  }

  return async (action, input, read) => {
    calls += 1
    const number = calls
    const found = await answer(action, input, read, number)
    return shuffleLists === undefined ? found : shuffled(found, action, `${shuffleLists}/${number}`)
  }
}
