import { digestOf, hashOfDigests } from '../desired/class-hash.ts'
import type { HashInput, MachineClassContent } from '../provider.ts'

/** A changed input of the hash. */
export interface HashCause {
  /** A description for users: `data volume kubelet-dir: size`. */
  readonly name: string
  /** Undefined: absent before, or unknown if nothing is proved. */
  readonly from: string | undefined
  /** Undefined: removed. */
  readonly to: string | undefined
}

export interface HashCauses {
  readonly causes: readonly HashCause[]
  /**
   * True if the former values produce the former hash. False: an input that the class does not contain has also
   * changed.
   */
  readonly isProved: boolean
}

/**
 * Maximum hashes tried for one class. Each has a chance of one in a million to match by accident, so this many still
 * prove something.
 */
const mostTries = 512

/**
 * Returns the inputs that changed the hash of a class. Searches for former values, read from the class, with the hash
 * in the name of the class. A class is ambiguous (an unset value may appear as a default, a text may be shortened), so
 * each input is tried with its former value, its present value and without a value, in order of likelihood.
 *
 * @param formerHash five characters
 */
export const hashCauses = (
  inputs: readonly HashInput[],
  former: MachineClassContent | undefined,
  formerHash: string,
): HashCauses => {
  const choices = inputs.map(input => choicesOf(input, former))
  const digests = new Map(choices.flat().map(datum => [datum, datum === undefined ? '' : digestOf(datum)]))
  const found = likeliest(choices, data => {
    const hash = hashOfDigests(
      data.map(datum => digests.get(datum) ?? ''),
      formerHash.length,
    )
    return hash === formerHash
  })
  const data = found ?? choices.map(([first]) => first)
  const causes = inputs.flatMap((input, i): readonly HashCause[] => {
    const { name, datum, parts } = input
    if (data[i] === datum) return []
    const inParts = former && parts ? changedParts(parts, former) : []
    return inParts.length > 0 ? inParts : [{ name, from: data[i], to: datum }]
  })
  return { causes, isProved: found !== undefined }
}

/** Returns the changed parts of a composite input, for users. */
const changedParts = (parts: readonly HashInput[], former: MachineClassContent): readonly HashCause[] =>
  parts.flatMap(({ name, datum, observed }) => {
    const from = observed?.(former)
    return from === datum ? [] : [{ name, from, to: datum }]
  })

type Datum = string | undefined

/** Returns the possible former values of an input, the likeliest first. */
const choicesOf = (
  { datum, observed }: HashInput,
  former: MachineClassContent | undefined,
): readonly [Datum, ...Datum[]] => {
  const seen = former && observed?.(former)
  const [first, ...rest] = new Set(seen === undefined ? [datum, undefined] : [seen, datum, undefined])
  return observed === undefined ? [datum] : [first, ...rest]
}

/** Returns the first list for which `holds` is true, ordered by the number of values that are not the likeliest. */
const likeliest = (
  choices: readonly (readonly [Datum, ...Datum[]])[],
  holds: (data: readonly Datum[]) => boolean,
): readonly Datum[] | undefined => {
  let tries = 0
  for (let others = 0; others <= choices.length; others++) {
    for (const data of listsWith(choices, others)) {
      if (++tries > mostTries) return undefined
      if (holds(data)) return data
    }
  }
  return undefined
}

/** Yields all lists in which this many inputs do not have their likeliest value. */
function* listsWith(
  choices: readonly (readonly [Datum, ...Datum[]])[],
  others: number,
): Generator<readonly Datum[]> {
  const [head, ...tail] = choices
  if (head === undefined || others > choices.length) {
    if (others === 0) yield []
    return
  }
  const [first, ...rest] = head
  for (const data of listsWith(tail, others)) yield [first, ...data]
  if (others === 0) return
  for (const other of rest) for (const data of listsWith(tail, others - 1)) yield [other, ...data]
}
