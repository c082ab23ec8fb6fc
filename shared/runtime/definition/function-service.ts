import * as z from 'zod'

const sentence = (about: string) =>
  z.string().min(1, `expected a sentence that says why: it becomes the comment ${about}`)

/** A choice and its reason, which becomes the comment above it in the manifest. */
const reasoned = <T extends z.ZodType>(value: T) => z.strictObject({ value, why: sentence('above it') })

const quantity = z
  .string()
  .regex(/^\d+(?:\.\d+)?(?:m|[kKMG]i?)?$/, 'expected a quantity of Kubernetes such as 128Mi or 50m')

/** What the Knative Service of a function may have of its own; see `FunctionService`. */
export const functionServiceSchema = z.strictObject({
  maxScale: reasoned(z.int().min(1)).prefault({
    value: 3,
    why: 'Clouds count requests by account: more processes for the same accounts would only be throttled.',
  }),
  concurrency: reasoned(z.int().min(0)).prefault({
    value: 100,
    why: 'Steps wait for the cloud and the API server nearly all of their time.',
  }),
  env: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[A-Z_][A-Z0-9_]*$/, 'expected the name of an environment variable'),
        value: z.string(),
        why: sentence('above it'),
      }),
    )
    .default([]),
  cpu: quantity.default('50m'),
  memory: z
    .strictObject({ request: quantity, limit: quantity })
    .default({ request: '128Mi', limit: '256Mi' }),
})

/** What differs between the Knative Services of functions. */
export type FunctionService = Readonly<z.output<typeof functionServiceSchema>>
/** The same as an author gives it: what is absent is the default. */
export type FunctionServiceInput = z.input<typeof functionServiceSchema>
