import { parse } from 'yaml'
import * as z from 'zod'
import { formatProblems, problemsOf } from '../decode/problems.ts'
import { messageOf } from '../text/message-of.ts'
import type { ImageSource } from './find-image.ts'
import { meetsConstraint } from './find-image.ts'

const optionalText = z
  .string()
  .nullish()
  .transform(value => value ?? undefined)

const isConstraint = (constraint: string): boolean => {
  try {
    meetsConstraint('1.0.0', constraint)
    return true
  } catch {
    return false
  }
}

/** Entries have more fields, for the origin and the rating of an image. */
const source = z
  .looseObject({
    name: z.string().min(1),
    ref: optionalText,
    repository: optionalText,
    tag: optionalText,
    targetVersion: z
      .string()
      .refine(isConstraint, 'expected a constraint such as 1.33.x or >= 1.34')
      .nullish()
      .transform(value => value ?? undefined),
    runtimeVersion: z
      .null('expected no runtimeVersion: Trellis does not know the version of the seed')
      .optional(),
    architectures: z
      .array(z.string())
      .nullish()
      .transform(value => value ?? undefined),
  })
  .transform(
    ({ name, ref, repository, tag, targetVersion, architectures }): ImageSource => ({
      name,
      ref,
      repository,
      tag,
      targetVersion,
      architectures,
    }),
  )

const vector = z.looseObject({ images: z.array(source) })

/**
 * Reads the file of `TRELLIS_IMAGEVECTOR_OVERWRITE`, in YAML or JSON (docs/contract/control-plane.md#images). Throws an
 * Error that names the invalid fields.
 */
export const readOverwrite = (text: string): readonly ImageSource[] => {
  const value = parsed(text)
  const { data, error } = vector.safeParse(value)
  if (error === undefined) return data.images
  throw new Error(`image vector overwrite: ${formatProblems(problemsOf(error.issues, value))}`)
}

const parsed = (text: string): unknown => {
  try {
    return parse(text, { maxAliasCount: 0 })
  } catch (error) {
    throw new Error(`image vector overwrite: ${messageOf(error).split('\n')[0]}`)
  }
}
