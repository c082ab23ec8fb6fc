import type * as z from 'zod'
import type { GroupVersionResource, KubernetesObject } from '../kubernetes/kubernetes.ts'
import { version } from './constants.ts'
import type { CrdPrinterColumn } from './printer-columns.ts'

export interface ApiKind<S extends z.ZodType<KubernetesObject> = z.ZodType<KubernetesObject>> {
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly listKind: string
  readonly shortNames: readonly string[]
  readonly namespaced: boolean
  readonly resource: GroupVersionResource
  readonly printerColumns: readonly CrdPrinterColumn[]
  readonly schema: S
}

/** Distinguishes the kinds of a group. `namespaced` defaults to true, `plural` to the singular with an s. */
export interface ApiKindTraits<S extends z.ZodType<KubernetesObject>> {
  readonly schema: S
  readonly plural?: string
  readonly shortNames?: readonly string[]
  readonly namespaced?: boolean
  readonly printerColumns: readonly CrdPrinterColumn[]
}

export const apiKind = <K extends string, S extends z.ZodType<KubernetesObject>>(
  group: string,
  kind: K,
  traits: ApiKindTraits<S>,
) => {
  const { namespaced = true, plural = `${kind.toLowerCase()}s` } = traits
  return {
    kind,
    plural,
    singular: kind.toLowerCase(),
    listKind: `${kind}List`,
    shortNames: traits.shortNames ?? [],
    namespaced,
    resource: { group, version, plural, namespaced },
    printerColumns: traits.printerColumns,
    schema: traits.schema,
  } satisfies ApiKind<S>
}
