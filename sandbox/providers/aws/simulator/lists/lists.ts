import { type ListOptions, pageSettings } from './list-options.ts'
import { isWalk, type Members, pageOf, type Read } from './list-pages.ts'
import { orderedPageOf } from './ordered-pages.ts'
import { orderedPagers, pagers } from './pagers.ts'
import { shuffled } from './shuffle.ts'

/** Returns the answer to a call, with its lists in the form of the options. */
export type AnswerLists = (action: string, input: Members, read: Read) => Promise<object>

/** Undefined if all lists are whole and in their usual order. */
export const createLists = ({ shuffleLists, pages }: ListOptions): AnswerLists | undefined => {
  const seed = pages?.seed ?? shuffleLists
  if (seed === undefined) return undefined
  const settings = pageSettings(pages, seed)
  let calls = 0

  const answer = async (action: string, input: Members, read: Read, number: number): Promise<Members> => {
    const pager = pagers[action]
    if (pager !== undefined && isWalk(pager, input)) return await pageOf(pager, input, read, settings, number)
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
