import type { DeliveryEnd } from './deliver.ts'
import type { BrokeredEvent } from './http-binding.ts'
import type { Destination } from './manifests.ts'
import { DispatcherEndedError } from './trigger-queue.ts'

/** Knative truncates a subscriber's error response to this many characters, in base64. */
const errorDataLimit = 1024

/** Returns the event as a dead letter, with the attributes of Knative that describe the failure. */
export const withError = (
  event: BrokeredEvent,
  { ref, uri }: Destination,
  { status, body }: DeliveryEnd & { readonly kind: 'failed' },
): BrokeredEvent => ({
  ...event,
  attributes: {
    ...event.attributes,
    knativeerrordest: uri ?? `http://${ref?.name}`,
    ...(status === undefined ? {} : { knativeerrorcode: String(status) }),
    ...(body === undefined || body.length === 0
      ? {}
      : { knativeerrordata: Buffer.from(body).toString('base64').slice(0, errorDataLimit) }),
  },
})

/**
 * Returns the end of a delivery that its dispatcher cut off, if that counts as a failure: RabbitMQ's writes the code
 * -1. Throws any other error.
 */
export const endedDelivery = (error: unknown): DeliveryEnd => {
  if (!(error instanceof DispatcherEndedError) || error.counts !== 'failed') throw error
  return { kind: 'failed', status: -1, reason: error.message, refused: false }
}
