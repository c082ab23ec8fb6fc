import { typeFields } from '../../../../shared/decode/config-fields.ts'

export { list, optional, text } from '../../../../shared/decode/config-fields.ts'

/** Group and version of all provider objects in Gardener's fields. */
export const apiVersion = 'openstack.provider.extensions.gardener.cloud/v1alpha1'

/** The type fields of a provider object. */
export const head = <K extends string>(kind: K) => typeFields(apiVersion, kind)
