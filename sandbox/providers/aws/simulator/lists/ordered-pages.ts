import { seeded } from '../seeded.ts'
import type { PageSettings } from './list-options.ts'
import type { ListRead, Members } from './list-pages.ts'
import type { OrderedPager } from './pagers.ts'

/**
 * Returns a page of a list with a documented order. With the probability of a repetition, the next page begins with the
 * last item of this one. It omits nothing: Route 53 lists "the most current version of the records"
 * ("ListResourceRecordSets", Route 53 API reference), and S3's lists of objects are strongly consistent ("Amazon S3
 * data consistency model", S3 user guide).
 */
export const orderedPageOf = async (
  { size, usual, next }: OrderedPager,
  input: Members,
  read: ListRead,
  { seed, least, most, repeated }: PageSettings,
  number: number,
): Promise<Members> => {
  const smallest = Math.max(least, 1)
  const wanted = Math.min(
    Number(input[size] ?? usual),
    smallest + Math.floor(seeded(seed, number, 'page') * (most - smallest + 1)),
  )
  // The service refuses the size.
  if (!(wanted >= 1)) return await read(input)
  const answer = await read({ ...input, [size]: wanted })
  const shown = { ...answer, [size]: Math.min(Number(input[size] ?? usual), usual) }
  const isRepeated = answer.IsTruncated === true && wanted > 1 && seeded(seed, number, 'twice') < repeated
  if (!isRepeated) return shown
  const shorter = await read({ ...input, [size]: wanted - 1 })
  return { ...shown, ...Object.fromEntries(next.map(name => [name, shorter[name]])) }
}
