import * as z from 'zod'

const meaning = 'the spec.type of the objects, such as acme-dns'

/**
 * Returns true if the text can follow the prefix of a finalizer: the name part of a qualified name (apimachinery
 * pkg/util/validation).
 */
export const isFinalizerSuffix = (text: string): boolean =>
  text.length <= 63 && /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(text)

/** Parses one `spec.type`, or a list of unique ones, into a list. Created on demand, like its neighbours. */
export const typesSchema = () =>
  z
    .unknown()
    .superRefine((given, { addIssue }) => {
      for (const { at, message } of problemsOf(given)) addIssue({ code: 'custom', path: at, message })
    })
    .transform(given => [given].flat() as readonly string[])

interface TypeProblem {
  readonly at: number[]
  readonly message: string
}

const problemsOf = (given: unknown): readonly TypeProblem[] => {
  if (!Array.isArray(given)) return ofOne(given, [])
  if (given.length === 0) return [{ at: [], message: `empty list: expected ${meaning}` }]
  return given.flatMap((type, index) =>
    given.indexOf(type) < index
      ? [{ at: [index], message: `${JSON.stringify(type)} is listed twice. Remove one` }]
      : ofOne(type, [index]),
  )
}

const ofOne = (type: unknown, at: number[]): readonly TypeProblem[] => {
  if (typeof type !== 'string') return [{ at, message: `missing: expected ${meaning}, or a list of them` }]
  return type === '' ? [{ at, message: `empty text: expected ${meaning}` }] : []
}
