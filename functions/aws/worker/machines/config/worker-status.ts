import * as z from 'zod'
import { head, list, optional, text } from '../../../../../terraform-free-infra/aws/account/config/config.ts'

const machineImage = z.strictObject({
  name: text,
  version: text,
  ami: text,
  architecture: optional(z.string()),
  capabilities: optional(z.record(z.string(), z.array(z.string()))),
})
/** An image in use. It has `architecture` or `capabilities`, as in the CloudProfile. */
export type StatusImage = Readonly<z.output<typeof machineImage>>

/** `status.providerStatus` of a Worker: the images in use (docs/contract/workers-aws.md#workerstatus). */
export const workerStatusSchema = z.strictObject({
  ...head('WorkerStatus'),
  machineImages: list(machineImage),
})
