import type { KubernetesObject, ObjectMeta } from './port.ts'

/**
 * A model of client-node as JSON on the wire: times are texts, fields are read-only and have the API server's names
 * (`_default` is `default` there, `x_kubernetes_map_type` `x-kubernetes-map-type`): `Json<V1LeaseSpec>`.
 */
export type Json<M> = 0 extends 1 & M
  ? unknown
  : M extends Date
    ? string
    : M extends readonly (infer E)[]
      ? readonly Json<E>[]
      : M extends object
        ? { readonly [K in keyof M as WireName<K>]: Json<M[K]> }
        : M

type WireName<K> = K extends `x_kubernetes_${string}` ? Dashed<K> : K extends `_${infer Name}` ? Name : K

type Dashed<K extends string> = K extends `${infer Head}_${infer Rest}` ? `${Head}-${Dashed<Rest>}` : K

/**
 * An object to apply, typed by client-node's model of its kind: `Rendered<V1ServiceAccount>`. Uses only types and loads nothing of
 * client-node.
 */
export type Rendered<M extends object> = Omit<Json<M>, keyof Identity> & Identity

type Identity = Pick<KubernetesObject, 'apiVersion' | 'kind'> & { readonly metadata: ObjectMeta }
