import fc from 'fast-check'

export const names = ['a', 'b', 'c'] as const
export const slots = ['first', 'second'] as const
export type Slot = (typeof slots)[number]

/** `synchronous`: answers after the function has ended. `hangs`: accepts the event, loses it, and never answers. */
export type SinkMode =
  | 'takes'
  | 'refuses'
  | 'takes and loses'
  | 'takes, answer lost'
  | 'slow'
  | 'not there'
  | 'synchronous'
  | 'hangs'
  | 'says to come in a year'
  | 'finds it malformed'
export type FunctionMode = 'succeeds' | 'dies' | 'fails' | 'continues'
export type ServerFault =
  | 'watches break'
  | 'watches expire'
  | 'reads fail'
  | 'lists expire'
  | 'is silent'
  | 'reads are slow'

/** An action on the seed and its two bridges. */
export type Command =
  | { readonly do: 'ask' | 'delete' | 'touch'; readonly name: (typeof names)[number] }
  /** Changes or deletes one of two objects that all steps wait for. */
  | { readonly do: 'change awaited'; readonly one: boolean; readonly to: 'settled' | 'unsettled' | 'gone' }
  | { readonly do: 'sink'; readonly mode: SinkMode }
  | { readonly do: 'function'; readonly mode: FunctionMode }
  | { readonly do: 'server'; readonly fault: ServerFault }
  /** Sets the clock of the functions, in ms ahead of all others. */
  | { readonly do: 'skew'; readonly ms: number }
  /** Gives the leadership to one or to none. `silently`: the previous leader notices only when it asks. */
  | { readonly do: 'lead'; readonly who: Slot | 'none'; readonly silently: boolean }
  | { readonly do: 'restart' | 'kill'; readonly who: Slot }
  | { readonly do: 'pass'; readonly ms: number }

const name = fc.constantFrom(...names)
const who = fc.constantFrom(...slots)

export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('ask'), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete'), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('touch'), name }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('change awaited'),
      one: fc.boolean(),
      to: fc.constantFrom('settled', 'unsettled', 'gone'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('sink'),
      mode: fc.constantFrom<SinkMode>(
        'takes',
        'refuses',
        'takes and loses',
        'takes, answer lost',
        'slow',
        'not there',
        'synchronous',
        'hangs',
        'says to come in a year',
        'finds it malformed',
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('function'),
      mode: fc.constantFrom<FunctionMode>('succeeds', 'dies', 'fails', 'continues'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('skew'),
      ms: fc.constantFrom(0, 5_000, -5_000, 86_400_000, -86_400_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('server'),
      fault: fc.constantFrom<ServerFault>(
        'watches break',
        'watches expire',
        'reads fail',
        'lists expire',
        'is silent',
        'reads are slow',
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('lead'),
      who: fc.constantFrom<Slot | 'none'>('first', 'second', 'none'),
      silently: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart'), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill'), who }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('pass'), ms: fc.integer({ min: 1, max: 20_000 }) }),
  },
)
