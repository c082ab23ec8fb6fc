import * as z from 'zod'

/** A choice and its reason, which becomes the comment above it in the manifest. */
const reasoned = <T extends z.ZodType>(value: T) => z.strictObject({ value, why: reason() })

const reason = () => z.string().min(1, 'expected a sentence that says why: it becomes the comment above it')

const quantity = () =>
  z.string().regex(/^\d+(?:\.\d+)?(?:m|[kKMG]i?)?$/, 'expected a quantity of Kubernetes such as 128Mi or 50m')

/** Where a function may connect to beside the cluster's own DNS and API server, as Gardener's network policies name it. */
export const reachable = ['public-networks', 'private-networks', 'shoots'] as const
export type Reachable = (typeof reachable)[number]

/** Most events of a function at the same time where it says nothing. */
export const defaultConcurrency = 100

/** What the Knative Service of a function may have of its own. Made when it is needed: no start of a function needs it. */
export const functionServiceSchema = () =>
  z.strictObject({
    maxScale: reasoned(z.int().min(1)).prefault({
      value: 3,
      why: 'Clouds count requests by account: more processes for the same accounts would only be throttled.',
    }),
    concurrency: reasoned(z.int().min(0)).prefault({
      value: defaultConcurrency,
      why: 'Steps wait for the cloud and the API server nearly all of their time.',
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
    /** Namespaces of extensions let nothing out that is not named: `public-networks` for a cloud, `shoots` for their API servers. */
    reaches: z.array(z.enum(reachable)).default([]),
  })

type Schema = ReturnType<typeof functionServiceSchema>

/** What differs between the Knative Services of functions. */
export type FunctionService = Readonly<z.output<Schema>>
/** The same as an author gives it: what is absent is the default. */
export type FunctionServiceInput = z.input<Schema>

/** What an author gives, with the defaults. */
export const functionService = (given: FunctionServiceInput): FunctionService =>
  functionServiceSchema().parse(given)
