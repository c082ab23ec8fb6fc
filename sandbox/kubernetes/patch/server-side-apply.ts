import type { ApiContext, WriteOptions } from '../api-context.ts'
import { badRequest } from '../api-error.ts'
import { resourceName } from '../resources/resource-type.ts'
import { storeKey } from '../store/object-key.ts'
import type { Entry } from '../store/store.ts'
import { createObject } from '../write/create-object.ts'
import { asObject, parseDocument } from '../write/decode-object.ts'
import { type UpdateTarget, updateObject } from '../write/update-object.ts'
import { mergePatch } from './merge-patch.ts'

/** PATCH with `application/apply-patch+yaml`. */
export const serverSideApply = (
  context: ApiContext,
  target: UpdateTarget,
  options: WriteOptions,
  body: string,
  _force: boolean,
): { readonly entry: Entry; readonly created: boolean } => {
  const applied = asObject(parseDocument(body, true), target.served)
  if (applied.metadata.managedFields !== undefined) throw badRequest('metadata.managedFields must be nil')
  const collection = context.store.collection(resourceName(target.served.type))
  if (!collection.get(storeKey(target.namespace, target.name))) {
    const entry = createObject(context, target.served, target.namespace, applied, options)
    return { entry, created: true }
  }
  const entry = updateObject(context, target, options, present =>
    asObject(mergePatch(present, applied), target.served),
  )
  return { entry, created: false }
}
