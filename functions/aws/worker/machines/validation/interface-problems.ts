import { type Problem, problemsInEach, shown } from '../../../../../shared/decode/problems.ts'
import { when } from '../../../../../shared/lists/when.ts'
import type { ConfigInterface } from '../config/worker-config.ts'
import { cardsIn, interfaceType, mostCards } from '../machine-class/class-content.ts'

/** More than any machine has, over all ranges. Otherwise, a class of 3 MB of text would have millions. */
const mostInterfaces = 2 * mostCards

const types = ['interface', 'efa', 'efa-only']

/** The maximum index of the machine controller and EC2: 32 bits. */
const largest = 2_147_483_647

/** Returns the problems of a WorkerConfig's interfaces. Paths begin at the config. */
export const interfaceProblems = (interfaces: readonly ConfigInterface[]): readonly Problem[] => {
  const count = interfaces.reduce(
    (sum, { networkCardIndexRange: range }) => sum + (range === undefined ? 1 : cardsIn(range)),
    0,
  )
  if (count <= mostInterfaces) return problemsInEachInterface(interfaces)
  return [
    {
      path: 'networkInterfaces',
      message: `expected at most ${mostInterfaces} interfaces, found ${count}`,
      kind: 'forbidden',
    },
    ...problemsInEachInterface(interfaces),
  ]
}

const problemsInEachInterface = (interfaces: readonly ConfigInterface[]): readonly Problem[] =>
  problemsInEach(interfaces, (one, index) => {
    const path = `networkInterfaces[${index}]`
    const { networkCardIndex, networkCardIndexRange: range, deviceIndex, type } = one
    return [
      ...when(type !== undefined && type !== '' && !types.includes(type), {
        path: `${path}.type`,
        message: `expected one of ${types.join(', ')}, found ${shown(type)}`,
        kind: 'unsupported' as const,
      }),
      ...(networkCardIndex !== undefined && range !== undefined
        ? [{ path, message: 'expected either networkCardIndex or networkCardIndexRange, found both' }]
        : []),
      ...indexProblems(`${path}.networkCardIndex`, networkCardIndex),
      ...indexProblems(`${path}.networkCardIndexRange.from`, range?.from),
      ...indexProblems(`${path}.networkCardIndexRange.to`, range?.to),
      ...rangeProblems(`${path}.networkCardIndexRange`, range),
      ...indexProblems(`${path}.deviceIndex`, deviceIndex),
      ...when(isPrimary(one) && interfaceType(one) === 'efa-only', {
        path: `${path}.type`,
        message:
          'expected interface or efa because this is the primary interface (card 0, device 0), found "efa-only"',
      }),
    ]
  })

const isPrimary = ({ networkCardIndex, networkCardIndexRange: range, deviceIndex }: ConfigInterface) =>
  (deviceIndex ?? 0) === 0 && (range === undefined ? (networkCardIndex ?? 0) === 0 : range.from === 0)

const rangeProblems = (path: string, range: ConfigInterface['networkCardIndexRange']): readonly Problem[] => {
  if (range === undefined) return []
  if (range.from > range.to)
    return [{ path, message: `expected from to be at most to, found ${range.from} and ${range.to}` }]
  return cardsIn(range) <= mostCards
    ? []
    : [{ path, message: `expected at most ${mostCards} cards, found ${range.to - range.from + 1}` }]
}

const indexProblems = (path: string, index: number | undefined): readonly Problem[] =>
  index === undefined || (index >= 0 && index <= largest)
    ? []
    : [{ path, message: `expected 0 to ${largest}, found ${index}` }]
