import * as z from 'zod'

/** Adds JSON Schema fields of structural CRDs that zod does not know. The generator in `crds/` copies them. */
const crd = <S extends z.ZodType>(schema: S, fields: Readonly<Record<string, unknown>>): S =>
  schema.meta(fields)

/** A field that may be absent. */
export const optional = <S extends z.ZodType>(schema: S, description: string): z.ZodExactOptional<S> =>
  schema.describe(description).exactOptional()

export const int32 = crd(z.int32(), { format: 'int32' })
export const int64 = crd(z.int(), { format: 'int64' })

/** RFC 3339 with any fraction and any offset, as `metav1.Time` reads it. */
export const dateTime = z.iso.datetime({ offset: true })

/** An RFC 3339 time that is not parsed, because Trellis never computes with it. */
export const timeText = crd(z.string(), { format: 'date-time' })

/** Bytes, base64 in JSON. */
export const bytes = crd(z.base64(), { format: 'byte' })

/** An opaque JSON object of a provider. All fields are retained. */
export const rawObject = crd(z.record(z.string(), z.unknown()), {
  'x-kubernetes-preserve-unknown-fields': true,
})

/** An object with some known fields. All others are retained; the CRD names none. */
export const openObject = <S extends z.ZodRawShape>(known: S) =>
  crd(z.looseObject(known), { 'x-kubernetes-preserve-unknown-fields': true })

/** An object with fields that the CRD names, and possibly others. */
export const extensibleObject = <S extends z.ZodRawShape>(fields: S) =>
  crd(z.object(fields), { 'x-kubernetes-preserve-unknown-fields': true })

/** Any JSON value, unchanged. */
export const rawValue = crd(z.unknown(), { 'x-kubernetes-preserve-unknown-fields': true })

/** `5` or `"25%"`. */
export const intOrString = crd(z.union([z.int(), z.string()]), { 'x-kubernetes-int-or-string': true })

/** The grammar of `resource.Quantity`, as published by apimachinery. */
const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$'

/** A Kubernetes quantity: `2`, `"500m"`, `"20Gi"`. */
export const quantity = crd(
  z.union([
    z.int(),
    z.string().regex(new RegExp(quantityPattern), 'expected a quantity such as 500m or 20Gi'),
  ]),
  { 'x-kubernetes-int-or-string': true, pattern: quantityPattern },
)

/** Validation rule of Gardener's CRDs for immutable fields. */
const immutable = [{ rule: 'self == oldSelf', message: 'Value is immutable' }]

/** The API server refuses a change of the field. */
export const immutableField = <S extends z.ZodType>(schema: S): S =>
  crd(schema, { 'x-kubernetes-validations': immutable })

/** Server-side apply treats the object as one value. */
export const atomicMap = <S extends z.ZodType>(schema: S): S =>
  crd(schema, { 'x-kubernetes-map-type': 'atomic' })

/** Server-side apply treats the list as one value. */
export const atomicList = <S extends z.ZodType>(schema: S): S =>
  crd(schema, { 'x-kubernetes-list-type': 'atomic' })

/** The list has no duplicates. */
export const setList = <S extends z.ZodType>(schema: S): S => crd(schema, { 'x-kubernetes-list-type': 'set' })
