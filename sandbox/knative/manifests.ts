import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import * as z from 'zod'
import { parseIsoDuration } from '../../shared/clock/clock.ts'
import { withComponent } from './component.ts'
import { attributesFilterSchema, filterExpressionSchema } from './filter.ts'
import type { ManifestFile } from './manifest-file.ts'

const duration = z.string().transform((text, context) => {
  const milliseconds = parseIsoDuration(text)
  if (milliseconds !== undefined) return milliseconds
  context.addIssue({ code: 'custom', message: 'expected an ISO 8601 duration such as PT1S' })
  return z.NEVER
})

/** With `ref`, a `uri` is relative to its address, as a link is to its page: `/aws-dnsrecord`. */
const destinationSchema = z
  .strictObject({
    ref: z
      .strictObject({
        apiVersion: z.literal('serving.knative.dev/v1'),
        kind: z.literal('Service'),
        name: z.string().min(1),
        namespace: z.string().min(1).optional(),
      })
      .optional(),
    uri: z.string().min(1).optional(),
  })
  .refine(({ ref, uri }) => URL.canParse(uri ?? '', ref && 'http://host'), {
    error: 'expected a URL, or with ref a path such as /name',
    path: ['uri'],
    when: ({ value }) => (value as { readonly uri?: unknown }).uri !== undefined,
  })

/** The delivery of events. Durations are in ms. */
export type Delivery = z.output<typeof deliverySchema>
const deliverySchema = z.strictObject({
  retry: z.int().min(0).default(0),
  backoffPolicy: z.enum(['linear', 'exponential']).default('exponential'),
  backoffDelay: duration.optional(),
  timeout: duration.optional(),
  retryAfterMax: duration.optional(),
  format: z.enum(['json', 'binary']).optional(),
  deadLetterSink: destinationSchema.optional(),
})

const metadataSchema = z.looseObject({
  name: z.string().min(1),
  namespace: z.string().min(1).default('default'),
  annotations: z.record(z.string(), z.string()).default({}),
})

const brokerSchema = z.object({
  metadata: metadataSchema,
  spec: z
    .strictObject({
      config: z.looseObject({ name: z.string().optional(), namespace: z.string().optional() }).optional(),
      delivery: deliverySchema.optional(),
    })
    .prefault({}),
})

const triggerSchema = z.object({
  metadata: metadataSchema,
  spec: z.strictObject({
    broker: z.string().min(1),
    delivery: deliverySchema.optional(),
    filter: attributesFilterSchema.optional(),
    filters: z.array(filterExpressionSchema).optional(),
    subscriber: destinationSchema,
  }),
})

const serviceSchema = z.object({
  metadata: metadataSchema,
  spec: z.looseObject({
    template: z.looseObject({
      metadata: z.looseObject({ annotations: z.record(z.string(), z.string()).default({}) }).prefault({}),
      spec: z.looseObject({
        containerConcurrency: z.int().min(0).default(0),
        timeoutSeconds: z.int().min(1).default(300),
        containers: z.array(z.looseObject({ image: z.string().min(1) })).min(1),
      }),
    }),
  }),
})

/** A ConfigMap that a Broker refers to. */
const configMapSchema = z.object({
  metadata: metadataSchema,
  data: z.record(z.string(), z.string()).default({}),
})

export type Broker = z.output<typeof brokerSchema>
export type Trigger = z.output<typeof triggerSchema>
export type KnativeService = z.output<typeof serviceSchema>
export type ConfigMap = z.output<typeof configMapSchema>
export type Destination = z.output<typeof destinationSchema>

/** The Broker, Triggers and Services of an installation. */
export interface Manifests {
  readonly brokers: readonly Broker[]
  readonly triggers: readonly Trigger[]
  readonly services: readonly KnativeService[]
  readonly configMaps: readonly ConfigMap[]
}

/** A manifest that the sandbox cannot use. The message names the file, the object and the field. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'
}

/**
 * Reads `.yaml` files, and folders recursively. `component`: a folder with a kustomize component to apply to them.
 * Throws `ManifestError` as `parseManifests` does, and Node's error for an unreadable file.
 *
 * @example
 * const manifests = await loadManifests(['knative/base'])
 */
export const loadManifests = async (paths: readonly string[], component?: string): Promise<Manifests> => {
  const names: string[] = []
  for (const path of paths) {
    if (!(await stat(path)).isDirectory()) names.push(path)
    else {
      const below = await readdir(path, { recursive: true })
      names.push(...below.filter(name => /\.ya?ml$/.test(name)).map(name => join(path, name)))
    }
  }
  const files = await Promise.all(
    names.sort().map(async name => ({ name, text: await readFile(name, 'utf8') })),
  )
  return parseManifests(component === undefined ? files : await withComponent(files, component))
}

/**
 * Returns the Brokers, Triggers and Services of the documents; other kinds are only for the cluster. Throws
 * `ManifestError` for a shape that Knative would refuse or the sandbox does not support, and for a Trigger without its
 * Broker or Service.
 */
export const parseManifests = (files: readonly ManifestFile[]): Manifests => withManifests(none, files)

const none: Manifests = { brokers: [], triggers: [], services: [], configMaps: [] }

/**
 * Adds manifests to the present ones, by the rules of `parseManifests`. An object replaces the one with the same name.
 */
export const withManifests = (present: Manifests, files: readonly ManifestFile[]): Manifests => {
  const { brokers, triggers, services, configMaps } = documentsIn(files)
  const all = {
    brokers: replacing(present.brokers, brokers),
    triggers: replacing(present.triggers, triggers),
    services: replacing(present.services, services),
    configMaps: replacing(present.configMaps, configMaps),
  }
  for (const trigger of all.triggers) checkReferences(trigger, all.brokers, all.services)
  for (const { metadata, spec } of all.brokers) {
    const sink = spec.delivery?.deadLetterSink
    checkDestination(`Broker ${idOf(metadata)}`, sink, metadata.namespace, all.services)
  }
  return all
}

const replacing = <T extends Trigger | Broker | KnativeService | ConfigMap>(
  present: readonly T[],
  more: readonly T[],
): readonly T[] => {
  const names = new Set(more.map(({ metadata }) => idOf(metadata)))
  return [...present.filter(({ metadata }) => !names.has(idOf(metadata))), ...more]
}

/** Returns only the Services of the given functions, and the Triggers that send events to them. */
export const ofFunctions = (
  { brokers, triggers, services, configMaps }: Manifests,
  isThere: (name: string) => boolean,
): Manifests => ({
  brokers,
  triggers: triggers.filter(({ spec: { subscriber } }) => isThere(subscriber.ref?.name ?? '')),
  services: services.filter(({ metadata }) => isThere(metadata.name)),
  configMaps,
})

const documentsIn = (files: readonly ManifestFile[]): Manifests => {
  const brokers: Broker[] = []
  const triggers: Trigger[] = []
  const services: KnativeService[] = []
  const configMaps: ConfigMap[] = []
  for (const { name, text } of files) {
    for (const document of parseAllDocuments(text)) {
      if (document.errors[0]) throw new ManifestError(`${name}: ${document.errors[0].message}`)
      const value: unknown = document.toJS()
      if (value === null) continue
      const head = headSchema.safeParse(value)
      if (!head.success) throw new ManifestError(`${name}: a document has no apiVersion and kind`)
      switch (`${head.data.apiVersion} ${head.data.kind}`) {
        case 'eventing.knative.dev/v1 Broker':
          brokers.push(check(name, 'Broker', brokerSchema, value))
          break
        case 'eventing.knative.dev/v1 Trigger':
          triggers.push(check(name, 'Trigger', triggerSchema, value))
          break
        case 'serving.knative.dev/v1 Service':
          services.push(check(name, 'Service', serviceSchema, value))
          break
        case 'v1 ConfigMap':
          configMaps.push(check(name, 'ConfigMap', configMapSchema, value))
          break
        case 'eventing.knative.dev/v1alpha1 RabbitmqBrokerConfig':
          // Names the RabbitMQ cluster of a Broker. The sandbox stores events in memory.
          break
        case 'sources.knative.dev/v1 SinkBinding':
        case 'eventing.knative.dev/v1alpha1 EventPolicy':
          // Configure the sink of the bridge's Deployment and restrict other senders. The sandbox starts its bridge
          // itself.
          break
        default:
          if (/\.knative\.dev\//.test(head.data.apiVersion)) {
            throw new ManifestError(
              `${name}: the sandbox does not support ${head.data.apiVersion} ${head.data.kind}`,
            )
          }
      }
    }
  }
  return { brokers, triggers, services, configMaps }
}

/** `<namespace>/<name>` */
export const idOf = ({ namespace, name }: { readonly namespace: string; readonly name: string }): string =>
  `${namespace}/${name}`

const headSchema = z.looseObject({ apiVersion: z.string(), kind: z.string() })

const check = <T>(file: string, kind: string, schema: z.ZodType<T>, value: unknown): T => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const name = z.looseObject({ metadata: z.looseObject({ name: z.string() }) }).safeParse(value)
  const issue = parsed.error.issues[0]
  throw new ManifestError(
    `${file}: ${kind} ${name.success ? name.data.metadata.name : '?'}: ${issue?.path.join('.')}: ${issue?.message}`,
  )
}

const checkReferences = (
  trigger: Trigger,
  brokers: readonly Broker[],
  services: readonly KnativeService[],
): void => {
  const { metadata, spec } = trigger
  const what = `Trigger ${idOf(metadata)}`
  const broker = { namespace: metadata.namespace, name: spec.broker }
  if (!brokers.some(candidate => idOf(candidate.metadata) === idOf(broker))) {
    throw new ManifestError(`${what}: the Broker ${idOf(broker)} does not exist`)
  }
  if (!spec.subscriber.ref && !spec.subscriber.uri)
    throw new ManifestError(`${what}: the subscriber is empty`)
  checkDestination(what, spec.subscriber, metadata.namespace, services)
  checkDestination(what, spec.delivery?.deadLetterSink, metadata.namespace, services)
}

const checkDestination = (
  what: string,
  destination: Destination | undefined,
  namespace: string,
  services: readonly KnativeService[],
): void => {
  if (!destination?.ref) return
  const service = { namespace: destination.ref.namespace ?? namespace, name: destination.ref.name }
  if (!services.some(candidate => idOf(candidate.metadata) === idOf(service))) {
    throw new ManifestError(`${what}: the Service ${idOf(service)} does not exist`)
  }
}
