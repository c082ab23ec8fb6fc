import { basename, dirname } from 'node:path'
import type { FoundWebhook } from '../../../functions/find-webhooks.ts'
import { jsonPatch } from '../../../sandbox/kubernetes/kubernetes.ts'
import type { Provider } from '../../../sandbox/providers/provider.ts'
import { lookupIn, type PatchStep } from '../../../sandbox/reviews/reviews.ts'
import { UsageError } from '../../../sandbox/terminal/exit-code.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { parseSettings } from '../../../shared/runtime/runtime.ts'
import { answerReview, webhookName } from '../../../shared/webhooks/admission/admission.ts'
import { createLookups } from '../../../shared/webhooks/server/webhook.ts'
import { clusterNamed } from '../related-objects.ts'
import { shortPath } from './choose-webhooks.ts'
import type { ReplayedReview } from './replayed-review.ts'
import { scrubReview } from './scrub-review.ts'

export interface SavedReview {
  readonly file: string
  /** The position in the file, for messages. */
  readonly where: string
  readonly value: unknown
}

interface Answer {
  readonly response: {
    readonly allowed: boolean
    readonly status: { readonly code: number; readonly message?: string }
    readonly patch?: string
    readonly warnings?: readonly string[]
  }
}

/** Sends one review to a webhook, with the same texts as an API server. The webhook looks up objects in `objects`. */
export const playReview = async (
  { file, where, value }: SavedReview,
  webhook: FoundWebhook,
  objects: readonly KubernetesObject[],
  providers: readonly Provider[],
): Promise<ReplayedReview> => {
  const { request } = value as { readonly request: Readonly<Record<string, unknown>> }
  const { object, oldObject } = request as Readonly<Record<string, KubernetesObject | undefined>>
  const namespace = typeof request.namespace === 'string' ? request.namespace : undefined
  const hasCluster = objects.some(({ kind, metadata }) => kind === 'Cluster' && metadata.name === namespace)
  const assumed = !hasCluster && namespace !== undefined && object !== undefined && webhook.target === 'seed'
  // functions/<provider>/webhooks/<name>/webhook.ts
  const provider = basename(dirname(dirname(dirname(webhook.file))))
  const madeUp = providers.find(({ name }) => name === provider)?.cluster
  const known = assumed ? [...objects, clusterNamed(namespace, object, madeUp)[1]] : objects

  const signal = new AbortController().signal
  const openLookup = createLookups(lookupIn(known), async () => ({
    kubernetes: lookupIn(known),
    close: () => {},
  }))
  const { lookup, close } = openLookup(
    webhook,
    webhook.target === 'shoot' ? (namespace ?? '') : undefined,
    signal,
  )
  const settings = parseSettings(webhook.settings, { flags: {}, env: {} })
  const answered = await answerReview(webhook, Buffer.from(JSON.stringify(value)), lookup, settings)
  close()
  if (answered.status !== 200 || object === undefined)
    throw new UsageError(`${file}: ${where}: ${answered.body.trim()}`)
  const { response } = JSON.parse(answered.body) as Answer
  const patch =
    response.patch === undefined
      ? []
      : (JSON.parse(Buffer.from(response.patch, 'base64').toString()) as readonly PatchStep[])
  const after = jsonPatch(object, patch) as KubernetesObject
  return scrubReview(
    {
      file,
      webhook: webhookName(webhook),
      path: shortPath(webhook),
      about: {
        kind: object.kind,
        operation: String(request.operation),
        ...(namespace !== undefined && { namespace }),
        name: object.metadata.name,
      },
      assumed,
      allowed: response.allowed,
      code: response.status.code,
      ...(response.status.message !== undefined && { message: response.status.message }),
      warnings: response.warnings ?? [],
      patch,
      before: object,
      after,
    },
    [...known, ...(oldObject ? [oldObject] : [])],
  )
}
