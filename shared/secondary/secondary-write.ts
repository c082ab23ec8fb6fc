import { isDeepStrictEqual } from 'node:util'
import { isRecord, recordOf } from '../decode/record-of.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { markOf } from './secondary-record.ts'

/** A secondary function tried to write a field of the primary controller. Nothing was written. */
export class SecondaryWriteError extends Error {
  override readonly name = 'SecondaryWriteError'

  /** @param place the place in the author's code: `function.ts:12` */
  constructor(field: string, about: string, place?: string) {
    super(
      `${place === undefined ? '' : `${place}: `}a secondary function must not write ${field} of ${about}: it belongs to the primary controller. Write conditions, or objects of its own`,
    )
  }
}

/** The writer of a patch, and the object before it. */
export interface SecondaryWriter {
  /** The name of the function. */
  readonly name: string
  /** The types of its conditions. */
  readonly conditions: readonly string[]
  readonly object: KubernetesObject
}

/**
 * Returns the patch if it changes only the function's own annotation, finalizer and conditions. Throws a
 * `SecondaryWriteError` that names any other field.
 */
export const checkedPatch = <P extends object>(patch: P, writer: SecondaryWriter): P => {
  const [field] = foreignFields(patch, writer)
  if (field === undefined) return patch
  const { kind, metadata } = writer.object
  const { namespace, name } = metadata
  throw new SecondaryWriteError(field, `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`)
}

const foreignFields = (patch: object, { name, conditions, object }: SecondaryWriter): readonly string[] => {
  const own = markOf(name)
  const { metadata = {}, status = {}, ...others } = patch as Readonly<Record<string, unknown>>
  const { uid: _, resourceVersion: __, annotations = {}, finalizers, ...rest } = recordOf(metadata)
  const { conditions: written, ...fields } = recordOf(status)
  const isOwn = (entry: unknown) => isRecord(entry) && conditions.some(type => type === entry.type)
  const foreign = (entries: unknown) => (Array.isArray(entries) ? entries.filter(entry => !isOwn(entry)) : [])
  const withoutOwn = (names: unknown) => (Array.isArray(names) ? names.filter(one => one !== own) : [])
  return [
    ...Object.keys(others),
    ...Object.keys(rest).map(field => `metadata.${field}`),
    ...Object.keys(recordOf(annotations))
      .filter(key => key !== own)
      .map(key => `the annotation ${key}`),
    ...(finalizers === undefined ||
    isDeepStrictEqual(withoutOwn(finalizers), withoutOwn(object.metadata.finalizers ?? []))
      ? []
      : ['the finalizers of others']),
    ...Object.keys(fields).map(field => `status.${field}`),
    ...(written === undefined ||
    isDeepStrictEqual(foreign(written), foreign(recordOf(object.status).conditions))
      ? []
      : ['the conditions of others']),
  ]
}
