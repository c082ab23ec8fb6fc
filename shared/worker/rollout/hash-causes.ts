import { digestOf, hashOfDigests } from '../hash.ts'
import type { HashInput, MachineClassContent } from '../provider.ts'

/** An input of the hash that is another one than it was. */
export interface HashCause {
  /** For people: `data volume kubelet-dir: size`. */
  readonly name: string
  /** Undefined: it was not there, or, where nothing is proved, it is not known. */
  readonly from: string | undefined
  /** Undefined: it is not there any longer. */
  readonly to: string | undefined
}

export interface HashCauses {
  readonly causes: readonly HashCause[]
  /** With the former values the former hash comes out; false: something that the class does not tell has changed, too. */
  readonly isProved: boolean
}

/**
 * Hashes that are tried at most for one class. Each has one chance in a million to be the former one by accident, so this
 * many still prove something.
 */
const mostTries = 512

/**
 * Which inputs made a class get another hash: those of which the former values, as the class tells them, hash to what the
 * name of the class ends with. A class leaves things open (what is not set may be there as a default, a text may have
 * been shortened), so each input is tried as it was, as it is and without a value, the likeliest together first.
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

/** What people see of an input that is made of several things. */
const changedParts = (parts: readonly HashInput[], former: MachineClassContent): readonly HashCause[] =>
  parts.flatMap(({ name, datum, observed }) => {
    const from = observed?.(former)
    return from === datum ? [] : [{ name, from, to: datum }]
  })

type Datum = string | undefined

/** The values that an input may have had, the likeliest first. */
const choicesOf = (
  { datum, observed }: HashInput,
  former: MachineClassContent | undefined,
): readonly [Datum, ...Datum[]] => {
  const seen = former && observed?.(former)
  const [first, ...rest] = new Set(seen === undefined ? [datum, undefined] : [seen, datum, undefined])
  return observed === undefined ? [datum] : [first, ...rest]
}

/** The first list that holds, by how many of its values are not the likeliest of their input. */
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

/** All lists in which so many inputs have another value than the likeliest. */
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
