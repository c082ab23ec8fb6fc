import fc from 'fast-check'

/** A value that is refused, now and then. */
export const rarely = <T>(usual: fc.Arbitrary<T>, rare: T): fc.Arbitrary<T> =>
  fc.oneof({ weight: 60, arbitrary: usual }, { weight: 1, arbitrary: fc.constant(rare) })
