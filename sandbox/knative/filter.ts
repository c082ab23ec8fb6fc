import * as z from 'zod'

/** Returns true if an event passes, by its attributes as strings. */
export type Filter = (attributes: Readonly<Record<string, string>>) => boolean

const attributeName = z.string().regex(/^[a-z][a-z0-9]*$/, {
  error: 'an attribute name must start with a letter and may contain only lower-case letters and digits',
})
const attributeMap = z.record(attributeName, z.string())
const filledMap = z
  .record(attributeName, z.string().min(1, { error: 'the value must not be empty' }))
  .refine(map => Object.keys(map).length > 0, { error: 'at least one attribute is required' })

/** `spec.filter` of a Trigger: exact matches. An empty text matches every non-empty value. */
export const attributesFilterSchema = z.strictObject({ attributes: attributeMap.optional() })

/** One entry of `spec.filters` of a Trigger. */
export type FilterExpression =
  | { readonly exact: Readonly<Record<string, string>> }
  | { readonly prefix: Readonly<Record<string, string>> }
  | { readonly suffix: Readonly<Record<string, string>> }
  | { readonly all: readonly FilterExpression[] }
  | { readonly any: readonly FilterExpression[] }
  | { readonly not: FilterExpression }

const dialects = ['exact', 'prefix', 'suffix', 'all', 'any', 'not'] as const

export const filterExpressionSchema: z.ZodType<FilterExpression> = z.lazy(() =>
  z
    .looseObject({})
    .superRefine((value, context) => {
      const names = Object.keys(value)
      const refuse = (message: string) => context.addIssue({ code: 'custom', message })
      if ('cesql' in value) refuse('the sandbox does not support CloudEvents SQL (cesql)')
      else if (names.length !== 1) refuse('expected exactly one dialect')
      else if (!dialects.some(dialect => dialect === names[0])) refuse(`unknown dialect ${names[0]}`)
    })
    .pipe(
      z.union([
        z.strictObject({ exact: filledMap }),
        z.strictObject({ prefix: filledMap }),
        z.strictObject({ suffix: filledMap }),
        z.strictObject({ all: z.array(filterExpressionSchema).min(1) }),
        z.strictObject({ any: z.array(filterExpressionSchema).min(1) }),
        z.strictObject({ not: filterExpressionSchema }),
      ]),
    ),
)

/**
 * Creates the filter of a Trigger, as knative/eventing pkg/eventfilter evaluates it. `filters` (all must pass)
 * overrides `filter`. With neither, every event passes.
 */
export const createFilter = (spec: {
  readonly filter?: z.output<typeof attributesFilterSchema> | undefined
  readonly filters?: readonly FilterExpression[] | undefined
}): Filter => {
  if (spec.filters !== undefined && spec.filters.length > 0) {
    const filters = spec.filters.map(compile)
    return attributes => filters.every(filter => filter(attributes))
  }
  const wanted = Object.entries(spec.filter?.attributes ?? {})
  return attributes =>
    wanted.every(([name, value]) =>
      value === '' ? (attributes[name] ?? '') !== '' : attributes[name] === value,
    )
}

const compile = (expression: FilterExpression): Filter => {
  if ('exact' in expression) return everyAttribute(expression.exact, (value, wanted) => value === wanted)
  if ('prefix' in expression)
    return everyAttribute(expression.prefix, (value, wanted) => value.startsWith(wanted))
  if ('suffix' in expression)
    return everyAttribute(expression.suffix, (value, wanted) => value.endsWith(wanted))
  if ('not' in expression) {
    const inner = compile(expression.not)
    return attributes => !inner(attributes)
  }
  if ('all' in expression) {
    const inner = expression.all.map(compile)
    return attributes => inner.every(filter => filter(attributes))
  }
  const inner = expression.any.map(compile)
  return attributes => inner.some(filter => filter(attributes))
}

const everyAttribute =
  (wanted: Readonly<Record<string, string>>, matches: (value: string, wanted: string) => boolean): Filter =>
  attributes =>
    Object.entries(wanted).every(([name, text]) => {
      const value = attributes[name]
      return value !== undefined && matches(value, text)
    })
