import * as z from 'zod'

/** A value and its reason. The reason becomes the comment above the value in the manifest. */
const reasoned = <T extends z.ZodType>(value: T) => z.strictObject({ value, why: reason() })

const reason = () =>
  z.string().min(1, 'expected a sentence with the reason: it becomes a comment above the value')

const quantity = () =>
  z.string().regex(/^\d+(?:\.\d+)?(?:m|[kKMG]i?)?$/, 'expected a Kubernetes quantity such as 128Mi or 50m')

/** Allowed targets besides the cluster's own DNS and API server, as named by Gardener's network policies. */
const reachable = ['public-networks', 'private-networks', 'shoots'] as const
export type Reachable = (typeof reachable)[number]

/** The default for the events that a function handles at the same time. */
export const defaultConcurrency = 100

/** Overrides for the Knative Service of a function. Created on demand, because no start of a function needs it. */
export const functionServiceSchema = () =>
  z.strictObject({
    maxScale: reasoned(z.int().min(1)).prefault({
      value: 3,
      why: 'Clouds limit requests per account: more processes for the same accounts would only be throttled.',
    }),
    concurrency: reasoned(z.int().min(0)).prefault({
      value: defaultConcurrency,
      why: 'Steps wait for the cloud and the API server most of the time.',
    }),
    env: z
      .array(
        z.strictObject({
          name: z.string().regex(/^[A-Z_][A-Z0-9_]*$/, 'expected the name of an environment variable'),
          value: z.string(),
          why: reason(),
        }),
      )
      .default([]),
    cpu: quantity().default('50m'),
    memory: z
      .strictObject({ request: quantity(), limit: quantity() })
      .default({ request: '128Mi', limit: '256Mi' }),
    /**
     * Extension namespaces block all egress that is not listed: `public-networks` for a cloud, `shoots` for API servers
     * of shoots.
     */
    reaches: z.array(z.enum(reachable)).default([]),
  })

type Schema = ReturnType<typeof functionServiceSchema>

/** The differences between the Knative Services of functions. */
export type FunctionService = Readonly<z.output<Schema>>
/** The author's input. Absent fields have defaults. */
export type FunctionServiceInput = z.input<Schema>

/** Adds the defaults to the author's input. */
export const functionService = (given: FunctionServiceInput): FunctionService =>
  functionServiceSchema().parse(given)
